-- Pravega: the wire protocol between clients, controllers and segment stores.
-- A dissector for Wireshark 4.0 and later, made from the protocol's
-- schema (digest 082af074bc023c8c) by Streamshark 0.1.0. Do not edit it,
-- but run `streamshark lua generate pravega`.
--
-- To install it, copy this file to the folder that Wireshark names in
-- Help > About > Folders as "Personal Lua Plugins", or run
-- `streamshark lua install`.
--
-- SPDX-License-Identifier: MIT

local ARGUMENTS = { ... } -- those of `-X lua_script1:`
local SHORT = "pravega"
local TITLE = "Pravega"
local PORTS = "12345,6000,9999"
local SHARED_PORTS = ""
local TLS_PORTS = "6000,9999,12345"
local DIALECTS = { "", "0.0", "draft" }
-- Kind of the number that joins requests and responses.
local CORRELATES = "int64"
local AGREES_VERSION = true
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
  segment = {
    doc = "Name of the segment; of a merge, of target and sources; where the frame has only the writer or answers a request, the one that the connection knows.",
    is_known = true,
  },
  request_id = { doc = "Number that joins a request and its reply, or a writer's set-up and its appends." },
  writer_id = { doc = "Writer, chosen by the client." },
  failed = { doc = "The reply says why something was not done.", is_fact = true },
} -- fields that span commands
local HAS_TYPES = false -- whether bodies have a type
local STREAM = "segment" -- field that names a stream
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
local wants_info = true -- false while nobody asks for the Info column
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
    if made.secret then made.masked = plain_field("string", name, made) end
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
  made.unknown, made.hidden_unknown = plain_field("bytes", unknown, facts), plain_field("string", unknown, facts)
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
    if made.keep and kind == "fixed32" then v[made.path] = range_of(tvb, at, 4):le_uint() end
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
      add_hidden(item, made.masked, begin)
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

-- Keeps what conversations want of an item of a repeated field, of which nothing says which one is the first.
local function gather_repeated(made)
  for _, path in ipairs(made.gathered or {}) do v[path] = rawget(v, path) or {} end
  if made.records then v[made.path .. "[]"] = rawget(v, made.path .. "[]") or {} end
  if made.keep then v[made.count_path] = (rawget(v, made.count_path) or 0) + 1 end
  gather(made, true)
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
  if item then add_undecoded(item, from, at - from, made.unknown, made.hidden_unknown) end
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


-- The tables of Pravega --------------------------------------------------------------------------------------

local names = {
  type_code = { [-2] = "partial_event", [-1] = "padding", [0] = "event" },
  type_code_2 = {
    [-127] = "hello",
    [-6] = "storage_chunks_listed",
    [-5] = "list_storage_chunks",
    [-4] = "flushed_to_storage",
    [-3] = "flush_to_storage",
    [-2] = "partial_event",
    [-1] = "padding",
    [0] = "event",
    [1] = "setup_append",
    [2] = "append_setup",
    [3] = "append_block",
    [4] = "append_block_end",
    [5] = "conditional_append",
    [7] = "data_appended",
    [8] = "conditional_check_failed",
    [9] = "read_segment",
    [10] = "segment_read",
    [11] = "get_stream_segment_info",
    [12] = "stream_segment_info",
    [13] = "get_transaction_info",
    [14] = "transaction_info",
    [20] = "create_segment",
    [21] = "segment_created",
    [22] = "create_transaction",
    [23] = "transaction_created",
    [24] = "commit_transaction",
    [25] = "transaction_committed",
    [26] = "abort_transaction",
    [27] = "transaction_aborted",
    [28] = "seal_segment",
    [29] = "segment_sealed",
    [30] = "delete_segment",
    [31] = "segment_deleted",
    [32] = "update_segment_policy",
    [33] = "segment_policy_updated",
    [34] = "get_segment_attribute",
    [35] = "segment_attribute",
    [36] = "update_segment_attribute",
    [37] = "segment_attribute_updated",
    [38] = "truncate_segment",
    [39] = "segment_truncated",
    [40] = "create_transient_segment",
    [41] = "locate_offset",
    [42] = "offset_located",
    [50] = "wrong_host",
    [51] = "segment_is_sealed",
    [52] = "segment_already_exists",
    [53] = "no_such_segment",
    [54] = "no_such_transaction",
    [55] = "invalid_event_number",
    [56] = "segment_is_truncated",
    [57] = "operation_unsupported",
    [58] = "merge_segments",
    [59] = "segments_merged",
    [60] = "auth_token_check_failed",
    [61] = "error_message",
    [68] = "get_table_segment_info",
    [69] = "table_segment_info",
    [70] = "create_table_segment",
    [71] = "delete_table_segment",
    [72] = "merge_table_segments",
    [73] = "seal_table_segment",
    [74] = "update_table_entries",
    [75] = "table_entries_updated",
    [76] = "remove_table_keys",
    [77] = "table_keys_removed",
    [78] = "read_table",
    [79] = "table_read",
    [80] = "table_segment_not_empty",
    [81] = "table_key_does_not_exist",
    [82] = "table_key_bad_version",
    [83] = "read_table_keys",
    [84] = "table_keys_read",
    [85] = "read_table_entries",
    [86] = "table_entries_read",
    [87] = "table_entries_delta_read",
    [88] = "read_table_entries_delta",
    [89] = "conditional_block_end",
    [90] = "merge_segments_batch",
    [91] = "segments_batch_merged",
    [100] = "keep_alive",
  },
  access_operation = {
    [0] = "unspecified",
    [1] = "none",
    [2] = "any",
    [3] = "read",
    [4] = "write",
    [5] = "read_write",
  },
  scale_type = {
    [0] = "fixed_num_segments",
    [1] = "by_rate_in_kbytes_per_sec",
    [2] = "by_rate_in_events_per_sec",
  },
  retention_type = { [0] = "unknown", [1] = "time", [2] = "size" },
  retention_type_2 = { [0] = "none", [1] = "manual", [2] = "automatic" },
  service_type = { [0] = "retention_service", [1] = "watermarking_service" },
  status = {
    [0] = "success",
    [1] = "failure",
    [2] = "stream_exists",
    [3] = "scope_not_found",
    [4] = "invalid_stream_name",
  },
  status_2 = {
    [0] = "success",
    [1] = "failure",
    [2] = "stream_not_found",
    [3] = "scope_not_found",
    [4] = "stream_sealed",
  },
  status_3 = { [0] = "success", [1] = "failure", [2] = "stream_not_found", [3] = "stream_not_sealed" },
  status_4 = { [0] = "started", [1] = "failure", [2] = "precondition_failed" },
  status_5 = { [0] = "in_progress", [1] = "success", [2] = "invalid_input", [3] = "internal_error" },
  status_6 = { [0] = "success", [1] = "failure", [2] = "stream_not_found", [3] = "transaction_not_found" },
  status_7 = {
    [0] = "ok",
    [1] = "lease_too_large",
    [2] = "max_execution_time_exceeded",
    [3] = "scale_grace_time_exceeded",
    [4] = "disconnected",
    [5] = "committed",
    [6] = "aborted",
    [7] = "unknown",
  },
  state = {
    [0] = "unknown",
    [1] = "open",
    [2] = "committing",
    [3] = "committed",
    [4] = "aborting",
    [5] = "aborted",
  },
  status_8 = { [0] = "committed", [1] = "aborted" },
  status_9 = { [0] = "success", [1] = "failure", [2] = "scope_exists", [3] = "invalid_scope_name" },
  status_10 = { [0] = "success", [1] = "failure", [2] = "scope_not_found", [3] = "scope_not_empty" },
  status_11 = { [0] = "success", [1] = "failure", [2] = "scope_not_found" },
  result = {
    [0] = "success",
    [1] = "unknown_writer",
    [2] = "stream_does_not_exist",
    [3] = "internal_error",
  },
  result_2 = { [0] = "success", [1] = "invalid_time", [2] = "invalid_position", [3] = "internal_error" },
  status_12 = {
    [0] = "success",
    [1] = "failure",
    [2] = "table_exists",
    [3] = "scope_not_found",
    [4] = "invalid_table_name",
  },
  status_13 = { [0] = "success", [1] = "failure", [2] = "table_not_found" },
  status_14 = { [0] = "success", [1] = "failure", [2] = "stream_not_found" },
  status_15 = {
    [0] = "success",
    [1] = "failure",
    [2] = "stream_not_found",
    [3] = "subscriber_not_found",
    [4] = "stream_cut_not_valid",
    [5] = "generation_mismatch",
  },
  status_16 = { [0] = "success", [1] = "failure", [2] = "scope_not_found", [3] = "invalid_rg_name" },
  status_17 = { [0] = "success", [1] = "failure", [2] = "rg_not_found" },
  status_18 = { [0] = "success", [1] = "failure", [2] = "rg_not_found", [3] = "invalid_config" },
  scale_type_2 = { [0] = "no_scale", [1] = "in_kbytes_per_sec", [2] = "in_events_per_sec" },
  attribute_update_type = {
    [0] = "none",
    [1] = "replace",
    [2] = "replace_if_greater",
    [3] = "accumulate",
    [4] = "replace_if_equals",
  },
  error_code = { [-1] = "unspecified", [0] = "token_check_failed", [1] = "token_expired" },
  error_code_2 = { [-1] = "unspecified", [0] = "illegal_argument_exception" },
  position = { [0] = "begin", [1] = "middle", [2] = "end" },
}

local FOREIGN = {
  ["\022\003"] = "TLS",
  ["PRI * HTTP/2"] = "HTTP/2",
  ["GET "] = "HTTP",
  ["POST "] = "HTTP",
  ["PUT "] = "HTTP",
  ["HTTP/"] = "HTTP",
}

local FRAGMENTS = {
  by = "writer_id",
  place = "position",
  begun = { append_block = true },
  continued = { append_block_end = true, partial_message = true },
  ended = {},
  parts = { "data" },
}

local RESUMPTION = nil

local STREAM_TYPES = nil

local UPGRADES = {}
local switch_dialect, SWITCHING, BETWEEN_SERVERS = false, {}, {}

local RUN = {
  command = "segment_read",
  by = "segment",
  position = "offset",
  part = "data",
  begins = "\000\000\000\000",
  least = 8,
  most = 16777216,
}

local joins = (function()
  -- What is appended by a block and its end, or why the end does not fit its block: as `joined` in `append_reassembly.py` has it.
  local PADDING, PARTIAL_EVENT = -1, -2

  local function number(raw, from)
    local a, b, c, d = raw:byte(from, from + 3)
    local value = ((a * 256 + b) * 256 + c) * 256 + d
    return value >= 0x80000000 and value - 0x100000000 or value
  end

  -- What of the bytes that fill a block up is part of an event; a reason where they are amiss.
  local function filling(block, size, rest)
    if size == #block then return "" end
    if #block < size + 8 then return nil, ("%d bytes after its complete events are not a record"):format(#block - size) end
    local kind, length, found = number(block, size + 1), number(block, size + 5), block:sub(size + 9)
    if length ~= #found or kind ~= PADDING and kind ~= PARTIAL_EVENT then
      return nil, "the bytes after its complete events do not fill the block"
    end
    if kind == PARTIAL_EVENT then return found end
    if rest ~= "" then return nil, "bytes follow the padding of its block" end
    if found:find("[^%z]") then return nil, "the padding of its block is not all zeros" end
    return ""
  end

  -- `parts` are those before the end, by name; `member` gives a member of the end by its name.
  return function(parts, member)
    local block, rest, size = parts.data or "", member("data") or "", member("size_of_whole_events") or -1
    if size < 0 or size > #block then return ("%d bytes of complete events are announced, its block has %d"):format(size, #block) end
    local found, wrong = filling(block, size, rest)
    return wrong or { data = block:sub(1, size) .. found .. rest }
  end
end)()

local function head_1()
  return {
    word.i32(
      "type_code",
      "Which command this is.",
      { abbreviation = NAME .. ".key", names = names.type_code_2 }
    ),
    word.i32(
      "payload_length",
      "Bytes after this number.",
      { abbreviation = NAME .. ".head.payload_length", unit = "bytes" }
    ),
  }
end

local function head_2()
  return {
    word.i32(
      "type_code",
      "Which command this is.",
      { abbreviation = NAME .. ".key", names = names.type_code_2 }
    ),
    word.i32(
      "payload_length",
      "Bytes after this number.",
      { abbreviation = NAME .. ".head.payload_length", unit = "bytes" }
    ),
  }
end

local function head_3()
  return {
    word.i32(
      "type_code",
      "Which command this is.",
      { abbreviation = NAME .. ".key", names = names.type_code_2 }
    ),
    word.i32(
      "payload_length",
      "Bytes after this number.",
      { abbreviation = NAME .. ".head.payload_length", unit = "bytes" }
    ),
  }
end

local heads = {
  [""] = {
    least = 8,
    most = 16777223,
    size = 8,
    select = function(from)
      return number_at(from, 4, true), nil, false
    end,
    measure = function(from)
      return number_at(from + 4, 4, true) + 8
    end,
  },
  ["0.0"] = {
    least = 8,
    most = 16777223,
    size = 8,
    select = function(from)
      return number_at(from, 4, true), nil, false
    end,
    measure = function(from)
      return number_at(from + 4, 4, true) + 8
    end,
  },
  draft = {
    least = 8,
    most = 16777223,
    size = 8,
    select = function(from)
      return number_at(from, 4, true), nil, false
    end,
    measure = function(from)
      return number_at(from + 4, 4, true) + 8
    end,
  },
}

local embedded_records = {
  ["pravega.block"] = {
    whole = "records",
    types = {},
    body = {
      word.list(
        word.each({
          word.i32("type_code", "What it is.", { names = names.type_code }),
          word.bytes(I32, "data", "The event, zeros, or the start of an event.", { body = true }),
        }),
        "records",
        "Events, then what fills the block up.",
        { keep = true }
      ),
    },
  },
  ["pravega.message"] = {
    types = {},
    body = {
      word.i32("type_code", "Which message it is.", { names = names.type_code_2 }),
      word.bytes(I32, "payload", "Its content."),
    },
  },
}

local calls = {
  ["pravega.controller_server_request"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getControllerServerList"] = true,
    },
    kind = "command",
    body = { word.message({}) },
  },
  ["pravega.controller_stream_config"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createStream"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/updateStream"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("message", "scaling_policy", "When segments are split.", {
          message = word.message({
            [1] = word.proto(
              "enum",
              "scale_type",
              "What is counted.",
              { names = names.scale_type, keep = "followed" }
            ),
            [2] = word.proto("int32", "target_rate", "Rate of a segment.", { keep = "followed" }),
            [3] = word.proto("int32", "scale_factor", "Into how many one is split.", { keep = "followed" }),
            [4] = word.proto("int32", "min_num_segments", "Segments at least.", { keep = "followed" }),
          }),
        }),
        [3] = word.proto("message", "retention_policy", "When the stream is truncated.", {
          message = word.message({
            [1] = word.proto(
              "enum",
              "retention_type",
              "What is counted.",
              { names = names.retention_type, keep = "followed" }
            ),
            [2] = word.proto("int64", "retention_param", "How much is kept at least.", { keep = "followed" }),
            [3] = word.proto("int64", "retention_max", "How much at most.", { keep = "followed" }),
          }),
        }),
        [4] = word.proto(
          "message",
          "tags",
          "Its tags.",
          { message = word.message({ [1] = word.proto("string", "tag", "A tag.", { repeated = true }) }) }
        ),
        [5] = word.proto("int64", "timestamp_aggregation_timeout", "Time that watermarks wait.", { unit = "ms" }),
        [6] = word.proto(
          "int64",
          "rollover_size_bytes",
          "Size at which storage begins a chunk.",
          { unit = "bytes" }
        ),
      }),
    },
  },
  ["pravega.controller_stream_cut"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/isStreamCutValid"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/truncateStream"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("map", "cut", "Segments and offsets.", {
          keep = "followed",
          repeated = true,
          gathers = { "cut.key", "cut.value" },
          forget = { "cut.key", "cut.value" },
          message = word.message({
            [1] = word.proto("int64", "key", "Segment.", { keep = "followed" }),
            [2] = word.proto("int64", "value", "Offset in it.", { keep = "followed" }),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_stream_info"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkStreamExists"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteStream"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getCurrentSegments"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getDelegationToken"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getStreamConfiguration"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listSubscribers"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/sealStream"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
        [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
      }),
    },
  },
  ["pravega.controller_get_epoch_segments_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getEpochSegments"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("int32", "epoch", "Which epoch."),
      }),
    },
  },
  ["pravega.controller_get_segments_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegments"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("int64", "timestamp", "Time of the writer."),
      }),
    },
  },
  ["pravega.controller_segment_id"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegmentsImmediatelyFollowing"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegmentsImmediatlyFollowing"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getURI"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/isSegmentValid"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
      }),
    },
  },
  ["pravega.controller_stream_cut_range"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegmentsBetween"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("map", "from", "Segments and offsets.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("int64", "key", "Segment."),
            [2] = word.proto("int64", "value", "Offset in it."),
          }),
        }),
        [3] = word.proto("map", "to", "Segments and offsets.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("int64", "key", "Segment."),
            [2] = word.proto("int64", "value", "Offset in it."),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_scale_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/scale"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("int64", "sealed_segments", "Segments that end.", { keep = "followed", repeated = true }),
        [3] = word.proto("message", "new_key_ranges", "Segments that begin.", {
          keep = "followed",
          repeated = true,
          message = word.message({
            [1] = word.proto("double", "start", "Where its keys begin."),
            [2] = word.proto("double", "end", "Where they end."),
          }),
        }),
        [4] = word.proto("int64", "scale_timestamp", "When it was asked for.", { unit = "ms", time = 3 }),
      }),
    },
  },
  ["pravega.controller_scale_status_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkScale"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("int32", "epoch", "Epoch before it."),
      }),
    },
  },
  ["pravega.controller_create_txn_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createTransaction"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto(
          "int64",
          "lease",
          "How long it lives without a ping.",
          { unit = "ms", keep = "followed" }
        ),
        [3] = word.proto("int64", "scale_grace_period", "No longer used.", { unit = "ms" }),
      }),
    },
  },
  ["pravega.controller_txn_request"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/abortTransaction"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkTransactionState"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/commitTransaction"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("message", "txn_id", "Which transaction.", {
          message = word.message({
            [1] = word.proto("int64", "high_bits", "Upper half of its UUID.", { keep = "followed" }),
            [2] = word.proto("int64", "low_bits", "Lower half.", { keep = "followed" }),
          }),
        }),
        [3] = word.proto("string", "writer_id", "Its writer.", { keep = "followed" }),
        [4] = word.proto("int64", "timestamp", "Time of the writer."),
      }),
    },
  },
  ["pravega.controller_ping_txn_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/pingTransaction"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("message", "txn_id", "Which transaction.", {
          message = word.message({
            [1] = word.proto("int64", "high_bits", "Upper half of its UUID.", { keep = "followed" }),
            [2] = word.proto("int64", "low_bits", "Lower half.", { keep = "followed" }),
          }),
        }),
        [3] = word.proto(
          "int64",
          "lease",
          "How long it lives without a ping.",
          { unit = "ms", keep = "followed" }
        ),
      }),
    },
  },
  ["pravega.controller_list_completed_txn_request"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listCompletedTransactions"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_scope_info"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkScopeExists"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createScope"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteScope"] = true,
    },
    kind = "command",
    body = { word.message({ [1] = word.proto("string", "scope", "Its name.", { keep = "followed" }) }) },
  },
  ["pravega.controller_delete_scope_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteScopeRecursive"] = true },
    kind = "command",
    body = { word.message({ [1] = word.proto("string", "scope", "Its name.", { keep = "followed" }) }) },
  },
  ["pravega.controller_scopes_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listScopes"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
      }),
    },
  },
  ["pravega.controller_streams_in_scope_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listStreamsInScope"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
      }),
    },
  },
  ["pravega.controller_streams_in_scope_with_tag_request"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listStreamsInScopeForTag"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("string", "tag", "Tag that they have.", { keep = "followed" }),
        [3] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
      }),
    },
  },
  ["pravega.controller_remove_writer_request"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/removeWriter"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "writer", "Which.", { keep = "followed" }),
        [2] = word.proto("message", "stream", "Of which.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
            [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_timestamp_from_writer"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/noteTimestampFromWriter"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "writer", "Which.", { keep = "followed" }),
        [2] = word.proto("message", "position", "What it has written.", {
          message = word.message({
            [1] = word.proto("message", "stream_info", "Which stream.", {
              message = word.message({
                [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
                [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
                [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
              }),
            }),
            [2] = word.proto("map", "cut", "Segments and offsets.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("int64", "key", "Segment."),
                [2] = word.proto("int64", "value", "Offset in it."),
              }),
            }),
          }),
        }),
        [3] = word.proto("int64", "timestamp", "Time of the writer.", { keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_key_value_table_config"] = {
    slots = { ["grpc.message"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createKeyValueTable"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("string", "kvt_name", "Its name.", { keep = "followed" }),
        [3] = word.proto("int32", "partition_count", "Segments that it has.", { keep = "followed" }),
        [4] = word.proto("int32", "primary_key_length", "Bytes of a primary key."),
        [5] = word.proto("int32", "secondary_key_length", "Bytes of a secondary key."),
        [6] = word.proto(
          "int64",
          "rollover_size_bytes",
          "Size at which storage begins a chunk.",
          { unit = "bytes" }
        ),
      }),
    },
  },
  ["pravega.controller_key_value_table_info"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteKeyValueTable"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getCurrentSegmentsKeyValueTable"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getKeyValueTableConfiguration"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("string", "kvt_name", "Its name.", { keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_kv_tables_in_scope_request"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listKeyValueTablesInScope"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
      }),
    },
  },
  ["pravega.controller_subscriber_stream_cut"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/updateSubscriberStreamCut"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "subscriber", "Which reader group.", { keep = "followed" }),
        [2] = word.proto("int64", "generation", "Version of its configuration."),
        [3] = word.proto("string", "reader_group_id", "Its UUID.", { keep = "followed" }),
        [4] = word.proto("message", "stream_cut", "Up to where it needs nothing more.", {
          message = word.message({
            [1] = word.proto("message", "stream_info", "Which stream.", {
              message = word.message({
                [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
                [2] = word.proto("string", "stream", "Its name.", { keep = "followed" }),
                [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
              }),
            }),
            [2] = word.proto("map", "cut", "Segments and offsets.", {
              keep = "followed",
              repeated = true,
              gathers = { "stream_cut.cut.key", "stream_cut.cut.value" },
              forget = { "stream_cut.cut.key", "stream_cut.cut.value" },
              message = word.message({
                [1] = word.proto("int64", "key", "Segment.", { keep = "followed" }),
                [2] = word.proto("int64", "value", "Offset in it.", { keep = "followed" }),
              }),
            }),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_reader_group_configuration"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createReaderGroup"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/updateReaderGroup"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("string", "reader_group_name", "Its name.", { keep = "followed" }),
        [3] = word.proto(
          "int64",
          "group_refresh_time_millis",
          "Time between refreshes.",
          { unit = "ms", keep = "followed" }
        ),
        [4] = word.proto(
          "int64",
          "automatic_checkpoint_interval_millis",
          "Time between them.",
          { unit = "ms", keep = "followed" }
        ),
        [5] = word.proto("int32", "max_outstanding_checkpoint_request", "Checkpoints at one time."),
        [6] = word.proto(
          "enum",
          "retention_type",
          "What it keeps.",
          { names = names.retention_type_2, keep = "followed" }
        ),
        [7] = word.proto("int64", "generation", "Version of its configuration."),
        [8] = word.proto("string", "reader_group_id", "Its UUID.", { keep = "followed" }),
        [9] = word.proto("message", "starting_stream_cuts", "Where it begins.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "stream_info", "Which stream.", {
              message = word.message({
                [1] = word.proto("string", "scope", "Its scope."),
                [2] = word.proto("string", "stream", "Its name."),
                [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
              }),
            }),
            [2] = word.proto("map", "cut", "Segments and offsets.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("int64", "key", "Segment."),
                [2] = word.proto("int64", "value", "Offset in it."),
              }),
            }),
          }),
        }),
        [10] = word.proto("message", "ending_stream_cuts", "Where it ends.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "stream_info", "Which stream.", {
              message = word.message({
                [1] = word.proto("string", "scope", "Its scope."),
                [2] = word.proto("string", "stream", "Its name."),
                [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
              }),
            }),
            [2] = word.proto("map", "cut", "Segments and offsets.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("int64", "key", "Segment."),
                [2] = word.proto("int64", "value", "Offset in it."),
              }),
            }),
          }),
        }),
        [11] = word.proto(
          "int64",
          "rollover_size_bytes",
          "Size at which storage begins a chunk.",
          { unit = "bytes" }
        ),
      }),
    },
  },
  ["pravega.controller_reader_group_info"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteReaderGroup"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getReaderGroupConfig"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scope", "Its scope.", { keep = "followed" }),
        [2] = word.proto("string", "reader_group", "Its name.", { keep = "followed" }),
        [3] = word.proto("string", "reader_group_id", "Its UUID."),
        [4] = word.proto("int64", "generation", "Version of its configuration."),
      }),
    },
  },
  ["pravega.controller_controller_to_bucket_mapping_request"] = {
    slots = { ["grpc.message"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getControllerToBucketMapping"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "service_type", "Of which service.", { names = names.service_type }),
      }),
    },
  },
  ["pravega.controller_server_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getControllerServerList"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "node_uri", "The controllers.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "endpoint", "Host."),
            [2] = word.proto("int32", "port", "Port of the store."),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_create_stream_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createStream"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_update_stream_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/sealStream"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/truncateStream"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/updateStream"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_2, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_delete_stream_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteStream"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_3, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_segment_ranges"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getCurrentSegments"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getCurrentSegmentsKeyValueTable"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getEpochSegments"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "segment_ranges", "Segments with their keys.", {
          keep = "followed",
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "segment_id", "Which segment.", {
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
              }),
            }),
            [2] = word.proto("double", "min_key", "Where its keys begin."),
            [3] = word.proto("double", "max_key", "Where they end."),
          }),
        }),
        [2] = word.proto("string", "delegation_token", "Token for the store.", { secret = true }),
      }),
    },
  },
  ["pravega.controller_segments_at_time"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegments"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "segments", "Segments at that time.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "segment_id", "Which segment.", {
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
              }),
            }),
            [2] = word.proto("int64", "offset", "Offset then.", { unit = "bytes" }),
          }),
        }),
        [2] = word.proto("string", "delegation_token", "Token for the store.", { secret = true }),
      }),
    },
  },
  ["pravega.controller_successor_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegmentsImmediatelyFollowing"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegmentsImmediatlyFollowing"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "segments", "What comes after it.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "segment", "A segment that follows.", {
              message = word.message({
                [1] = word.proto("message", "segment_id", "Which segment.", {
                  message = word.message({
                    [1] = word.proto("message", "stream_info", "Which stream.", {
                      message = word.message({
                        [1] = word.proto("string", "scope", "Its scope."),
                        [2] = word.proto("string", "stream", "Its name."),
                        [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                      }),
                    }),
                    [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
                  }),
                }),
                [2] = word.proto("double", "min_key", "Where its keys begin."),
                [3] = word.proto("double", "max_key", "Where they end."),
              }),
            }),
            [2] = word.proto("int64", "value", "Segments that it follows.", { repeated = true }),
          }),
        }),
        [2] = word.proto("string", "delegation_token", "Token for the store.", { secret = true }),
      }),
    },
  },
  ["pravega.controller_stream_cut_range_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getSegmentsBetween"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "segments", "Segments between.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "stream_info", "Which stream.", {
              message = word.message({
                [1] = word.proto("string", "scope", "Its scope."),
                [2] = word.proto("string", "stream", "Its name."),
                [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
              }),
            }),
            [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
          }),
        }),
        [2] = word.proto("string", "delegation_token", "Token for the store.", { secret = true }),
      }),
    },
  },
  ["pravega.controller_scale_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/scale"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_4, keep = "followed" }),
        [2] = word.proto("message", "segment_ranges", "Segments with their keys.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "segment_id", "Which segment.", {
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
              }),
            }),
            [2] = word.proto("double", "min_key", "Where its keys begin."),
            [3] = word.proto("double", "max_key", "Where they end."),
          }),
        }),
        [3] = word.proto("int32", "epoch", "Epoch before it."),
      }),
    },
  },
  ["pravega.controller_scale_status_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkScale"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How far it is.", { names = names.status_5, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_node_uri"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getURI"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "endpoint", "Host.", { keep = "followed" }),
        [2] = word.proto("int32", "port", "Port of the store.", { keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_validity_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/isSegmentValid"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/isStreamCutValid"] = true,
    },
    kind = "command",
    body = { word.message({ [1] = word.proto("bool", "response", "Whether it is valid.") }) },
  },
  ["pravega.controller_create_txn_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createTransaction"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "txn_id", "Which transaction.", {
          message = word.message({
            [1] = word.proto("int64", "high_bits", "Upper half of its UUID.", { keep = "followed" }),
            [2] = word.proto("int64", "low_bits", "Lower half.", { keep = "followed" }),
          }),
        }),
        [2] = word.proto("message", "active_segments", "Segments of it.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "segment_id", "Which segment.", {
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("int64", "segment_id", "Number; the epoch in the upper half."),
              }),
            }),
            [2] = word.proto("double", "min_key", "Where its keys begin."),
            [3] = word.proto("double", "max_key", "Where they end."),
          }),
        }),
        [3] = word.proto("string", "delegation_token", "Token for the store.", { secret = true }),
      }),
    },
  },
  ["pravega.controller_txn_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/abortTransaction"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/commitTransaction"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_6, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_ping_txn_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/pingTransaction"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "What became of it.", { names = names.status_7, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_txn_state"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkTransactionState"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "state", "How far it is.", { names = names.state, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_list_completed_txn_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listCompletedTransactions"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "response", "The transactions.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("message", "txn_id", "Which transaction.", {
              message = word.message({
                [1] = word.proto("int64", "high_bits", "Upper half of its UUID."),
                [2] = word.proto("int64", "low_bits", "Lower half."),
              }),
            }),
            [2] = word.proto("enum", "status", "How it ended.", { names = names.status_8 }),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_create_scope_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createScope"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_9, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_delete_scope_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteScope"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteScopeRecursive"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_10, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_scopes_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listScopes"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "scopes", "Names.", { keep = "followed", repeated = true }),
        [2] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
      }),
    },
  },
  ["pravega.controller_exists_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkScopeExists"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/checkStreamExists"] = true,
    },
    kind = "command",
    body = { word.message({ [1] = word.proto("bool", "exists", "Whether it does.") }) },
  },
  ["pravega.controller_streams_in_scope_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listStreamsInScope"] = true,
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listStreamsInScopeForTag"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "streams", "The streams.", {
          keep = "followed",
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
        [3] = word.proto("enum", "status", "How it went.", { names = names.status_11 }),
      }),
    },
  },
  ["pravega.controller_delegation_token"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getDelegationToken"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto(
          "string",
          "delegation_token",
          "Token for the store.",
          { secret = true, keep = "followed" }
        ),
      }),
    },
  },
  ["pravega.controller_remove_writer_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/removeWriter"] = true },
    kind = "command",
    body = {
      word.message({ [1] = word.proto("enum", "result", "How it went.", { names = names.result }) }),
    },
  },
  ["pravega.controller_timestamp_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/noteTimestampFromWriter"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "result", "How it went.", { names = names.result_2, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_create_key_value_table_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createKeyValueTable"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_12, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_delete_kv_table_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteKeyValueTable"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_13, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_key_value_table_config_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getKeyValueTableConfiguration"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "config", "Its configuration.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "kvt_name", "Its name."),
            [3] = word.proto("int32", "partition_count", "Segments that it has."),
            [4] = word.proto("int32", "primary_key_length", "Bytes of a primary key."),
            [5] = word.proto("int32", "secondary_key_length", "Bytes of a secondary key."),
            [6] = word.proto(
              "int64",
              "rollover_size_bytes",
              "Size at which storage begins a chunk.",
              { unit = "bytes" }
            ),
          }),
        }),
        [2] = word.proto("enum", "status", "How it went.", { names = names.status_13 }),
      }),
    },
  },
  ["pravega.controller_kv_tables_in_scope_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listKeyValueTablesInScope"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "kvtables", "The tables.", {
          keep = "followed",
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "kvt_name", "Its name."),
          }),
        }),
        [2] = word.proto("message", "continuation_token", "Where the list continues.", {
          message = word.message({ [1] = word.proto("string", "token", "Opaque.", { keep = "followed" }) }),
        }),
        [3] = word.proto("enum", "status", "How it went.", { names = names.status_11 }),
      }),
    },
  },
  ["pravega.controller_subscribers_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/listSubscribers"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("string", "subscribers", "Reader groups.", { repeated = true }),
        [2] = word.proto("enum", "status", "How it went.", { names = names.status_14 }),
      }),
    },
  },
  ["pravega.controller_update_subscriber_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/updateSubscriberStreamCut"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_15, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_create_reader_group_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/createReaderGroup"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_16, keep = "followed" }),
        [2] = word.proto("message", "config", "Its configuration.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "reader_group_name", "Its name."),
            [3] = word.proto("int64", "group_refresh_time_millis", "Time between refreshes.", { unit = "ms" }),
            [4] = word.proto("int64", "automatic_checkpoint_interval_millis", "Time between them.", { unit = "ms" }),
            [5] = word.proto("int32", "max_outstanding_checkpoint_request", "Checkpoints at one time."),
            [6] = word.proto("enum", "retention_type", "What it keeps.", { names = names.retention_type_2 }),
            [7] = word.proto("int64", "generation", "Version of its configuration."),
            [8] = word.proto("string", "reader_group_id", "Its UUID."),
            [9] = word.proto("message", "starting_stream_cuts", "Where it begins.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("map", "cut", "Segments and offsets.", {
                  repeated = true,
                  message = word.message({
                    [1] = word.proto("int64", "key", "Segment."),
                    [2] = word.proto("int64", "value", "Offset in it."),
                  }),
                }),
              }),
            }),
            [10] = word.proto("message", "ending_stream_cuts", "Where it ends.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("map", "cut", "Segments and offsets.", {
                  repeated = true,
                  message = word.message({
                    [1] = word.proto("int64", "key", "Segment."),
                    [2] = word.proto("int64", "value", "Offset in it."),
                  }),
                }),
              }),
            }),
            [11] = word.proto(
              "int64",
              "rollover_size_bytes",
              "Size at which storage begins a chunk.",
              { unit = "bytes" }
            ),
          }),
        }),
      }),
    },
  },
  ["pravega.controller_reader_group_config_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getReaderGroupConfig"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "config", "Its configuration.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "reader_group_name", "Its name."),
            [3] = word.proto("int64", "group_refresh_time_millis", "Time between refreshes.", { unit = "ms" }),
            [4] = word.proto("int64", "automatic_checkpoint_interval_millis", "Time between them.", { unit = "ms" }),
            [5] = word.proto("int32", "max_outstanding_checkpoint_request", "Checkpoints at one time."),
            [6] = word.proto("enum", "retention_type", "What it keeps.", { names = names.retention_type_2 }),
            [7] = word.proto("int64", "generation", "Version of its configuration."),
            [8] = word.proto("string", "reader_group_id", "Its UUID."),
            [9] = word.proto("message", "starting_stream_cuts", "Where it begins.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("map", "cut", "Segments and offsets.", {
                  repeated = true,
                  message = word.message({
                    [1] = word.proto("int64", "key", "Segment."),
                    [2] = word.proto("int64", "value", "Offset in it."),
                  }),
                }),
              }),
            }),
            [10] = word.proto("message", "ending_stream_cuts", "Where it ends.", {
              repeated = true,
              message = word.message({
                [1] = word.proto("message", "stream_info", "Which stream.", {
                  message = word.message({
                    [1] = word.proto("string", "scope", "Its scope."),
                    [2] = word.proto("string", "stream", "Its name."),
                    [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
                  }),
                }),
                [2] = word.proto("map", "cut", "Segments and offsets.", {
                  repeated = true,
                  message = word.message({
                    [1] = word.proto("int64", "key", "Segment."),
                    [2] = word.proto("int64", "value", "Offset in it."),
                  }),
                }),
              }),
            }),
            [11] = word.proto(
              "int64",
              "rollover_size_bytes",
              "Size at which storage begins a chunk.",
              { unit = "bytes" }
            ),
          }),
        }),
        [2] = word.proto("enum", "status", "How it went.", { names = names.status_17 }),
      }),
    },
  },
  ["pravega.controller_delete_reader_group_status"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/deleteReaderGroup"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_17, keep = "followed" }),
      }),
    },
  },
  ["pravega.controller_update_reader_group_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = { ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/updateReaderGroup"] = true },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("enum", "status", "How it went.", { names = names.status_18, keep = "followed" }),
        [2] = word.proto("int64", "generation", "Version of its configuration."),
      }),
    },
  },
  ["pravega.controller_stream_config_reply"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getStreamConfiguration"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("message", "stream_info", "Which stream.", {
          message = word.message({
            [1] = word.proto("string", "scope", "Its scope."),
            [2] = word.proto("string", "stream", "Its name."),
            [3] = word.proto("enum", "access_operation", "What it is asked for.", { names = names.access_operation }),
          }),
        }),
        [2] = word.proto("message", "scaling_policy", "When segments are split.", {
          message = word.message({
            [1] = word.proto("enum", "scale_type", "What is counted.", { names = names.scale_type }),
            [2] = word.proto("int32", "target_rate", "Rate of a segment."),
            [3] = word.proto("int32", "scale_factor", "Into how many one is split."),
            [4] = word.proto("int32", "min_num_segments", "Segments at least."),
          }),
        }),
        [3] = word.proto("message", "retention_policy", "When the stream is truncated.", {
          message = word.message({
            [1] = word.proto("enum", "retention_type", "What is counted.", { names = names.retention_type }),
            [2] = word.proto("int64", "retention_param", "How much is kept at least."),
            [3] = word.proto("int64", "retention_max", "How much at most."),
          }),
        }),
        [4] = word.proto(
          "message",
          "tags",
          "Its tags.",
          { message = word.message({ [1] = word.proto("string", "tag", "A tag.", { repeated = true }) }) }
        ),
        [5] = word.proto("int64", "timestamp_aggregation_timeout", "Time that watermarks wait.", { unit = "ms" }),
        [6] = word.proto(
          "int64",
          "rollover_size_bytes",
          "Size at which storage begins a chunk.",
          { unit = "bytes" }
        ),
      }),
    },
  },
  ["pravega.controller_controller_to_bucket_mapping_response"] = {
    slots = { ["grpc.reply"] = true },
    paths = {
      ["/io.pravega.controller.stream.api.grpc.v1.ControllerService/getControllerToBucketMapping"] = true,
    },
    kind = "command",
    body = {
      word.message({
        [1] = word.proto("map", "mapping", "Controllers and what they have.", {
          repeated = true,
          message = word.message({
            [1] = word.proto("string", "key", "Controller."),
            [2] = word.proto("message", "value", "Its share.", {
              message = word.message({ [1] = word.proto("int32", "bucket", "A bucket.", { repeated = true }) }),
            }),
          }),
        }),
      }),
    },
  },
} -- messages inside calls

local frames = {}

-- Says which versions of the protocol the sender speaks. WireCommands.Hello.
frames[#frames + 1] = {
  name = "hello",
  command = "hello",
  kind = "command",
  sender = "both",
  key = -127,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "version=", "" }, holes = { { path = "high_version" } } },
    { texts = { "low=", "" }, holes = { { path = "low_version" } } },
  },
  brief = 2,
  agrees = { { name = "version", path = "high_version", least = true } },
  opens = true,
  known = { "segment" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i32(
        "high_version",
        "Newest version that the sender speaks.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "low_version",
        "Oldest version that the sender speaks.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Lists the chunks. WireCommands.StorageChunksListed.
frames[#frames + 1] = {
  name = "storage_chunks_listed",
  command = "storage_chunks_listed",
  kind = "response",
  sender = "server",
  key = -6,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "chunks.chunk_name" } } } },
  brief = 1000,
  correlates = "request_id",
  proves = "server",
  known = { "segment" },
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.list(word.each({
        word.i64("length_in_metadata", "Length as it is noted.", { unit = "bytes" }),
        word.i64("length_in_storage", "Length as it is stored.", { unit = "bytes" }),
        word.i64("start_offset", "Where it begins in the segment.", { unit = "bytes" }),
        word.text(
          U16,
          "chunk_name",
          "Name in storage.",
          { keep = true, in_info = "many", encoding = "mutf-8" }
        ),
        word.u8("exists_in_storage", "True when it is there.", { keep = "followed" }),
      }), "chunks", "Chunks, in order.", {
        keep = "followed",
        count = I32,
        gathers = { "chunks.exists_in_storage" },
        forget = { "chunks.chunk_name", "chunks.exists_in_storage" },
      }),
    }
  end,
}

-- Asks in which chunks a segment is stored. WireCommands.ListStorageChunks.
frames[#frames + 1] = {
  name = "list_storage_chunks",
  command = "list_storage_chunks",
  kind = "request",
  sender = "client",
  key = -5,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, encoding = "mutf-8" }
      )),
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
    }
  end,
}

-- Says that all is written. WireCommands.FlushedToStorage.
frames[#frames + 1] = {
  name = "flushed_to_storage",
  command = "flushed_to_storage",
  kind = "response",
  sender = "server",
  key = -4,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {},
  brief = 0,
  correlates = "request_id",
  proves = "server",
  known = { "segment" },
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
    }
  end,
}

-- Asks a container to write all to storage. WireCommands.FlushToStorage.
frames[#frames + 1] = {
  name = "flush_to_storage",
  command = "flush_to_storage",
  kind = "request",
  sender = "client",
  key = -3,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "container=", "" }, holes = { { path = "container_id" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  known = { "segment" },
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i32("container_id", "Number of the container.", { keep = true, in_info = true }),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, encoding = "mutf-8" }
      )),
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
    }
  end,
}

-- The start of an event outside of a block, which no peer sends. WireCommands.PartialEvent.
frames[#frames + 1] = {
  name = "partial_event",
  command = "partial_event",
  kind = "command",
  sender = "client",
  key = -2,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "data", form = "bytes" } } } },
  brief = 1,
  proves = "client",
  known = { "segment" },
  awaited = 0,
  head = function() return head_1() end,
  steps = function()
    return { word.bytes(REST, "data", "Start of the event.", { keep = true, in_info = true }) }
  end,
}

-- Fills up; nothing follows from it. WireCommands.Padding.
frames[#frames + 1] = {
  name = "padding",
  command = "padding",
  kind = "command",
  sender = "client",
  key = -1,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "data", form = "bytes" } } } },
  brief = 1,
  proves = "client",
  known = { "segment" },
  awaited = 0,
  head = function() return head_1() end,
  steps = function()
    return { word.bytes(REST, "data", "Zeros.", { keep = true, in_info = true }) }
  end,
}

-- An event outside of a block, which no peer sends. WireCommands.Event.
frames[#frames + 1] = {
  name = "event",
  command = "event",
  kind = "command",
  sender = "client",
  key = 0,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "data", form = "bytes" } } },
    { texts = { "", "" }, holes = { { path = "data", form = "text" } } },
  },
  brief = 1,
  proves = "client",
  known = { "segment" },
  bodies = true,
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.bytes(
        REST,
        "data",
        "Bytes of the event.",
        { keep = true, awaited = true, in_info = true, body = true }
      ),
    }
  end,
}

-- Asks to append events of a writer to a segment. WireCommands.SetupAppend.
frames[#frames + 1] = {
  name = "setup_append",
  command = "setup_append",
  kind = "request",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that the writer may append, and what is stored of it. WireCommands.AppendSetup.
frames[#frames + 1] = {
  name = "append_setup",
  command = "append_setup",
  kind = "response",
  sender = "server",
  key = 2,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "last=", "" }, holes = { { path = "last_event_number" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "last_event_number",
        "Newest event of the writer that is stored; the lowest number for none.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Bytes of events that a writer appends. WireCommands.AppendBlock.
frames[#frames + 1] = {
  name = "append_block",
  command = "append_block",
  kind = "command",
  sender = "client",
  key = 3,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "", "" }, holes = { { path = "data", form = "bytes" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 3,
  proves = "client",
  in_pieces = true,
  known = { "segment" },
  bodies = true,
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.bytes(REST, "data", "Events, and what fills the block up.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
    }
  end,
}

-- Ends an append block. WireCommands.AppendBlockEnd.
frames[#frames + 1] = {
  name = "append_block_end",
  command = "append_block_end",
  kind = "command",
  sender = "client",
  key = 4,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "events=", "" }, holes = { { path = "num_events" } } },
    { texts = { "last=", "" }, holes = { { path = "last_event_number" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 5,
  correlates = "request_id",
  proves = "client",
  in_pieces = true,
  known = { "segment" },
  bodies = true,
  parts = { "data" },
  awaited = 6,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "size_of_whole_events",
        "Bytes of the block in front of what fills it up.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.bytes(I32, "data", "The rest of the last event, or whole events where no block came before.", {
        keep = "followed",
        awaited = true,
        raw = true,
        pieced = true,
        body = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
      word.i32(
        "num_events",
        "Events in the block and here.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "last_event_number",
        "Number of the last one; it is what is acknowledged.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.tail(8, word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      )),
    }
  end,
}

-- Appends an event if the segment has the expected length. WireCommands.ConditionalAppend.
frames[#frames + 1] = {
  name = "conditional_append",
  command = "conditional_append",
  kind = "command",
  sender = "client",
  key = 5,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "event=", "" }, holes = { { path = "event_number" } } },
    { texts = { "expected=", "" }, holes = { { path = "expected_offset" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  known = { "segment" },
  bodies = true,
  awaited = 6,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "event_number",
        "Number of the event, growing for each writer.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "expected_offset",
        "Length that the segment must have.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.fits(
        {
          { "event", {
            word.literal("\000\000\000\000", "Type code of EVENT."),
            word.bytes(
              I32,
              "event",
              "The event.",
              { keep = "followed", awaited = true, raw = true, body = true }
            ),
            word.tail(8, word.i64(
              "request_id",
              "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
              { spans = { "request_id" }, keep = true, awaited = true }
            )),
          } },
          { "bare", {
            word.bytes(
              I32,
              "data",
              "The event, without a head of its own.",
              { keep = "followed", awaited = true, raw = true, body = true }
            ),
          } },
        },
        { forget = { "event", "event raw", "request_id", "data", "data raw" } }
      ),
    }
  end,
}

-- Acknowledges events of a writer. WireCommands.DataAppended.
frames[#frames + 1] = {
  name = "data_appended",
  command = "data_appended",
  kind = "command",
  sender = "server",
  key = 7,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "event=", "" }, holes = { { path = "event_number" } } },
    { texts = { "previous=", "" }, holes = { { path = "previous_event_number" } } },
    { texts = { "offset=", "" }, holes = { { path = "current_segment_write_offset" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 4,
  correlates = "request_id",
  proves = "server",
  known = { "segment" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "event_number",
        "Number of the event, growing for each writer.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.tail(8, word.i64(
        "previous_event_number",
        "Newest event that was acknowledged before.",
        { keep = true, awaited = true, in_info = true }
      )),
      word.tail(8, word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      )),
      word.tail(8, word.i64(
        "current_segment_write_offset",
        "Length of the segment with these events.",
        { unit = "bytes", keep = true, in_info = true }
      )),
    }
  end,
}

-- Says that nothing was appended, since the length differs. WireCommands.ConditionalCheckFailed.
frames[#frames + 1] = {
  name = "conditional_check_failed",
  command = "conditional_check_failed",
  kind = "response",
  sender = "server",
  key = 8,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "event=", "" }, holes = { { path = "event_number" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  known = { "segment" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "event_number",
        "Number of the event, growing for each writer.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.tail(8, word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      )),
    }
  end,
}

-- Asks for bytes of a segment. WireCommands.ReadSegment.
frames[#frames + 1] = {
  name = "read_segment",
  command = "read_segment",
  kind = "request",
  sender = "client",
  key = 9,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64(
        "offset",
        "Where to begin.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "suggested_length",
        "Bytes that the client would like.",
        { unit = "bytes", keep = "followed", awaited = true }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(8, word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      )),
    }
  end,
}

-- Brings bytes of a segment. WireCommands.SegmentRead.
frames[#frames + 1] = {
  name = "segment_read",
  command = "segment_read",
  kind = "response",
  sender = "server",
  key = 10,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "", "" }, holes = { { path = "data", form = "bytes" } } },
    { texts = { "", "" }, holes = { { path = "at_tail", yes = "at_tail", no = "" } } },
    { texts = { "", "" }, holes = { { path = "end_of_segment", yes = "end", no = "" } } },
  },
  brief = 6,
  correlates = "request_id",
  proves = "server",
  in_pieces = true,
  stream = "segment",
  bodies = true,
  parts = { "data" },
  awaited = 6,
  head = function() return head_1() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64(
        "offset",
        "Where they begin.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.u8(
        "at_tail",
        "True when nothing is stored after them.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.u8(
        "end_of_segment",
        "True when the segment is sealed and nothing follows.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.bytes(I32, "data", "The bytes: event records, the first and last perhaps in part.", {
        keep = true,
        awaited = true,
        raw = true,
        pieced = true,
        in_info = true,
        body = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
      word.tail(8, word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      )),
    }
  end,
}

-- Asks what a segment is. WireCommands.GetStreamSegmentInfo.
frames[#frames + 1] = {
  name = "get_stream_segment_info",
  command = "get_stream_segment_info",
  kind = "request",
  sender = "client",
  key = 11,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says what a segment is. WireCommands.StreamSegmentInfo.
frames[#frames + 1] = {
  name = "stream_segment_info",
  command = "stream_segment_info",
  kind = "response",
  sender = "server",
  key = 12,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    {
      texts = { "offsets=", "-", "" },
      holes = { { path = "start_offset" }, { path = "write_offset" } },
    },
    { texts = { "", "" }, holes = { { path = "is_sealed", yes = "sealed", no = "" } } },
    { texts = { "", "" }, holes = { { path = "is_deleted", yes = "deleted", no = "" } } },
    { texts = { "", "" }, holes = { { path = "exists", yes = "exists", no = "missing" } } },
  },
  brief = 6,
  correlates = "request_id",
  proves = "server",
  awaited = 6,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.u8("exists", "True when it is there.", { keep = true, awaited = true, in_info = true }),
      word.u8(
        "is_sealed",
        "True when nothing can be appended.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.u8("is_deleted", "True when it was deleted.", { keep = true, awaited = true, in_info = true }),
      word.i64("last_modified", "Time of the last change.", { unit = "ms", time = 3 }),
      word.i64(
        "write_offset",
        "Its length.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.tail(8, word.i64(
        "start_offset",
        "Where it begins since it was truncated.",
        { unit = "bytes", keep = true, in_info = true }
      )),
    }
  end,
}

-- Asks what a transaction is. WireCommands.GetTransactionInfo.
frames[#frames + 1] = {
  name = "get_transaction_info",
  command = "get_transaction_info",
  kind = "request",
  sender = "client",
  key = 13,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction."),
    }
  end,
}

-- Says what a transaction is. WireCommands.TransactionInfo.
frames[#frames + 1] = {
  name = "transaction_info",
  command = "transaction_info",
  kind = "response",
  sender = "server",
  key = 14,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
    { texts = { "", "" }, holes = { { path = "is_sealed", yes = "sealed", no = "" } } },
    { texts = { "", "" }, holes = { { path = "exists", yes = "exists", no = "missing" } } },
  },
  brief = 4,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
      word.text(U16, "transaction_name", "Its own segment.", { encoding = "mutf-8" }),
      word.u8("exists", "True when it is there.", { keep = true, in_info = true }),
      word.u8("is_sealed", "True when nothing can be appended.", { keep = true, in_info = true }),
      word.i64("last_modified", "Time of the last change.", { unit = "ms", time = 3 }),
      word.i64("data_length", "Its length.", { unit = "bytes" }),
    }
  end,
}

-- Asks for a new segment. WireCommands.CreateSegment.
frames[#frames + 1] = {
  name = "create_segment",
  command = "create_segment",
  kind = "request",
  sender = "client",
  key = 20,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 6,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i32(
        "target_rate",
        "Rate above which the segment is split.",
        { keep = "followed", awaited = true }
      ),
      word.i8(
        "scale_type",
        "What is counted.",
        { names = names.scale_type_2, keep = "followed", awaited = true }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(8, word.i64(
        "rollover_size_bytes",
        "Size at which storage begins a new chunk; 0 for the server's own.",
        { unit = "bytes", keep = "followed", awaited = true }
      )),
    }
  end,
}

-- Says that a segment is there now. WireCommands.SegmentCreated.
frames[#frames + 1] = {
  name = "segment_created",
  command = "segment_created",
  kind = "response",
  sender = "server",
  key = 21,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks to create a transaction. WireCommands.CreateTransaction.
frames[#frames + 1] = {
  name = "create_transaction",
  command = "create_transaction",
  kind = "request",
  sender = "client",
  key = 22,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Says that the transaction is created. WireCommands.TransactionCreated.
frames[#frames + 1] = {
  name = "transaction_created",
  command = "transaction_created",
  kind = "response",
  sender = "server",
  key = 23,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Asks to commit a transaction. WireCommands.CommitTransaction.
frames[#frames + 1] = {
  name = "commit_transaction",
  command = "commit_transaction",
  kind = "request",
  sender = "client",
  key = 24,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Says that the transaction is committed. WireCommands.TransactionCommitted.
frames[#frames + 1] = {
  name = "transaction_committed",
  command = "transaction_committed",
  kind = "response",
  sender = "server",
  key = 25,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Asks to abort a transaction. WireCommands.AbortTransaction.
frames[#frames + 1] = {
  name = "abort_transaction",
  command = "abort_transaction",
  kind = "request",
  sender = "client",
  key = 26,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Says that the transaction is aborted. WireCommands.TransactionAborted.
frames[#frames + 1] = {
  name = "transaction_aborted",
  command = "transaction_aborted",
  kind = "response",
  sender = "server",
  key = 27,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Asks to seal a segment. WireCommands.SealSegment.
frames[#frames + 1] = {
  name = "seal_segment",
  command = "seal_segment",
  kind = "request",
  sender = "client",
  key = 28,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that the segment is sealed. WireCommands.SegmentSealed.
frames[#frames + 1] = {
  name = "segment_sealed",
  command = "segment_sealed",
  kind = "response",
  sender = "server",
  key = 29,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks to delete a segment. WireCommands.DeleteSegment.
frames[#frames + 1] = {
  name = "delete_segment",
  command = "delete_segment",
  kind = "request",
  sender = "client",
  key = 30,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that the segment is deleted. WireCommands.SegmentDeleted.
frames[#frames + 1] = {
  name = "segment_deleted",
  command = "segment_deleted",
  kind = "response",
  sender = "server",
  key = 31,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks to change when a segment is split. WireCommands.UpdateSegmentPolicy.
frames[#frames + 1] = {
  name = "update_segment_policy",
  command = "update_segment_policy",
  kind = "request",
  sender = "client",
  key = 32,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i32(
        "target_rate",
        "Rate above which the segment is split.",
        { keep = "followed", awaited = true }
      ),
      word.i8(
        "scale_type",
        "What is counted.",
        { names = names.scale_type_2, keep = "followed", awaited = true }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that the policy is changed. WireCommands.SegmentPolicyUpdated.
frames[#frames + 1] = {
  name = "segment_policy_updated",
  command = "segment_policy_updated",
  kind = "response",
  sender = "server",
  key = 33,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks for an attribute of a segment. WireCommands.GetSegmentAttribute.
frames[#frames + 1] = {
  name = "get_segment_attribute",
  command = "get_segment_attribute",
  kind = "request",
  sender = "client",
  key = 34,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("attribute_id", "Which attribute of the segment."),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says what the attribute is. WireCommands.SegmentAttribute.
frames[#frames + 1] = {
  name = "segment_attribute",
  command = "segment_attribute",
  kind = "response",
  sender = "server",
  key = 35,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "value=", "" }, holes = { { path = "value" } } },
  },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  known = { "segment" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.i64(
        "value",
        "Its value; the lowest number for none.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Asks to change an attribute if it is as expected. WireCommands.UpdateSegmentAttribute.
frames[#frames + 1] = {
  name = "update_segment_attribute",
  command = "update_segment_attribute",
  kind = "request",
  sender = "client",
  key = 36,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("attribute_id", "Which attribute of the segment."),
      word.i64("new_value", "Value to be set."),
      word.i64("expected_value", "Value that it must have."),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says whether it was changed. WireCommands.SegmentAttributeUpdated.
frames[#frames + 1] = {
  name = "segment_attribute_updated",
  command = "segment_attribute_updated",
  kind = "response",
  sender = "server",
  key = 37,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    {
      texts = { "success=", "" },
      holes = { { path = "success", form = "ok", others = { ["1"] = true } } },
    },
  },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  known = { "segment" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.u8("success", "True when it was changed.", { keep = true, awaited = true, in_info = true }),
    }
  end,
}

-- Asks to forget what is before an offset. WireCommands.TruncateSegment.
frames[#frames + 1] = {
  name = "truncate_segment",
  command = "truncate_segment",
  kind = "request",
  sender = "client",
  key = 38,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "offset=", "" }, holes = { { path = "truncation_offset" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64(
        "truncation_offset",
        "First byte that stays.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that the segment is truncated. WireCommands.SegmentTruncated.
frames[#frames + 1] = {
  name = "segment_truncated",
  command = "segment_truncated",
  kind = "response",
  sender = "server",
  key = 39,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks for a transient segment. WireCommands.CreateTransientSegment.
frames[#frames + 1] = {
  name = "create_transient_segment",
  command = "create_transient_segment",
  kind = "request",
  sender = "client",
  key = 40,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "parent_segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = "followed", awaited = true }
      ),
      word.text(
        U16,
        "parent_segment",
        "Segment into which it will be merged.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Asks where an event begins. WireCommands.LocateOffset.
frames[#frames + 1] = {
  name = "locate_offset",
  command = "locate_offset",
  kind = "request",
  sender = "client",
  key = 41,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "target=", "" }, holes = { { path = "target_offset" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64("target_offset", "Where to look from.", { unit = "bytes", keep = true, in_info = true }),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says where the event begins. WireCommands.OffsetLocated.
frames[#frames + 1] = {
  name = "offset_located",
  command = "offset_located",
  kind = "response",
  sender = "server",
  key = 42,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64("offset", "Where the event begins.", { unit = "bytes", keep = true, in_info = true }),
    }
  end,
}

-- Says that another host has the segment. WireCommands.WrongHost.
frames[#frames + 1] = {
  name = "wrong_host",
  command = "wrong_host",
  kind = "response",
  sender = "server",
  key = 50,
  responses = { false },
  dialects = { "" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "correct_host=", "" }, holes = { { path = "correct_host" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "correct_host",
        "Host that has it; the store leaves it empty.",
        { keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that the segment is sealed. WireCommands.SegmentIsSealed.
frames[#frames + 1] = {
  name = "segment_is_sealed",
  command = "segment_is_sealed",
  kind = "response",
  sender = "server",
  key = 51,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(8, word.i64(
        "offset",
        "Offset of the read, or number of the event, that failed; -1 for none.",
        { keep = "followed", awaited = true }
      )),
    }
  end,
}

-- Says that the segment already exists. WireCommands.SegmentAlreadyExists.
frames[#frames + 1] = {
  name = "segment_already_exists",
  command = "segment_already_exists",
  kind = "response",
  sender = "server",
  key = 52,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says that there is no such segment. WireCommands.NoSuchSegment.
frames[#frames + 1] = {
  name = "no_such_segment",
  command = "no_such_segment",
  kind = "response",
  sender = "server",
  key = 53,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(8, word.i64(
        "offset",
        "Offset of the read, or number of the event, that failed; -1 for none.",
        { keep = "followed", awaited = true }
      )),
    }
  end,
}

-- Says that there is no such transaction. WireCommands.NoSuchTransaction.
frames[#frames + 1] = {
  name = "no_such_transaction",
  command = "no_such_transaction",
  kind = "response",
  sender = "server",
  key = 54,
  responses = { false },
  dialects = { "" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that an event number is not above the stored one. WireCommands.InvalidEventNumber.
frames[#frames + 1] = {
  name = "invalid_event_number",
  command = "invalid_event_number",
  kind = "response",
  sender = "server",
  key = 55,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "event=", "" }, holes = { { path = "event_number" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  known = { "segment" },
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.fits(
        {
          { "since_0_13", {
            word.i64(
              "request_id",
              "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
              { spans = { "request_id" }, keep = true }
            ),
            word.text(
              U16,
              "server_stack_trace",
              "Where the server failed; mostly empty.",
              { encoding = "mutf-8" }
            ),
            word.i64(
              "event_number",
              "Number of the event, growing for each writer.",
              { keep = true, awaited = true, in_info = true }
            ),
          } },
          { "before", {
            word.i64(
              "event_number",
              "Number of the event, growing for each writer.",
              { keep = true, awaited = true, in_info = true }
            ),
            word.tail(1, word.text(
              U16,
              "server_stack_trace",
              "Where the server failed; mostly empty.",
              { encoding = "mutf-8" }
            )),
          } },
        },
        { forget = { "request_id", "event_number" } }
      ),
    }
  end,
}

-- Says that the segment begins later. WireCommands.SegmentIsTruncated.
frames[#frames + 1] = {
  name = "segment_is_truncated",
  command = "segment_is_truncated",
  kind = "response",
  sender = "server",
  key = 56,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "start=", "" }, holes = { { path = "start_offset" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64(
        "start_offset",
        "Where it begins now.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(8, word.i64(
        "offset",
        "Offset of the read, or number of the event, that failed; -1 for none.",
        { keep = "followed", awaited = true }
      )),
    }
  end,
}

-- Says that the operation is not supported. WireCommands.OperationUnsupported.
frames[#frames + 1] = {
  name = "operation_unsupported",
  command = "operation_unsupported",
  kind = "response",
  sender = "server",
  key = 57,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "operation_name" } } },
  },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  known = { "segment" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "operation_name",
        "Which one.",
        { keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Asks to merge a segment into another one. WireCommands.MergeSegments.
frames[#frames + 1] = {
  name = "merge_segments",
  command = "merge_segments",
  kind = "request",
  sender = "client",
  key = 58,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "target" } } },
    { texts = { "source=", "" }, holes = { { path = "source" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.text(
        U16,
        "target",
        "Segment that is merged into.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "source",
        "Segment that is merged.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", encoding = "mutf-8" }
      )),
      word.tail(4, word.list(word.each({
        word.uuid("attribute_id", "Which attribute of the segment.", { keep = "followed" }),
        word.u8(
          "attribute_update_type",
          "How it changes.",
          { names = names.attribute_update_type, keep = "followed" }
        ),
        word.i64("new_value", "Value to be set.", { keep = "followed" }),
        word.i64("old_value", "Value that it must have.", { keep = "followed" }),
      }), "attribute_updates", "What must hold of the target's attributes, and changes with the merge.", {
        keep = "followed",
        count = I32,
        records = { "attribute_id", "attribute_update_type", "new_value", "old_value" },
        forget = {
          "attribute_updates.attribute_id",
          "attribute_updates.attribute_update_type",
          "attribute_updates.new_value",
          "attribute_updates.old_value",
        },
      })),
    }
  end,
}

-- Says that the segment is merged. WireCommands.SegmentsMerged.
frames[#frames + 1] = {
  name = "segments_merged",
  command = "segments_merged",
  kind = "response",
  sender = "server",
  key = 59,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "target" } } },
    { texts = { "source=", "" }, holes = { { path = "source" } } },
    { texts = { "offset=", "" }, holes = { { path = "new_target_write_offset" } } },
  },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "target",
        "Segment that is merged into.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "source",
        "Segment that is merged.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(8, word.i64(
        "new_target_write_offset",
        "Length of the target now.",
        { unit = "bytes", keep = true, in_info = true }
      )),
    }
  end,
}

-- Says that the token was refused. WireCommands.AuthTokenCheckFailed.
frames[#frames + 1] = {
  name = "auth_token_check_failed",
  command = "auth_token_check_failed",
  kind = "response",
  sender = "server",
  key = 60,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "code=", "" }, holes = { { path = "error_code" } } },
  },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  known = { "segment" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.tail(1, word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(4, word.i32(
        "error_code",
        "Why.",
        { names = names.error_code, keep = true, awaited = true, in_info = true }
      )),
    }
  end,
}

-- Says what went wrong. WireCommands.ErrorMessage.
frames[#frames + 1] = {
  name = "error_message",
  command = "error_message",
  kind = "response",
  sender = "server",
  key = 61,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "message" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "message",
        "What went wrong.",
        { keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i32(
        "error_code",
        "Which error.",
        { names = names.error_code_2, keep = "followed", awaited = true }
      ),
    }
  end,
}

-- Asks what a table segment is. WireCommands.GetTableSegmentInfo.
frames[#frames + 1] = {
  name = "get_table_segment_info",
  command = "get_table_segment_info",
  kind = "request",
  sender = "client",
  key = 68,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says what a table segment is. WireCommands.TableSegmentInfo.
frames[#frames + 1] = {
  name = "table_segment_info",
  command = "table_segment_info",
  kind = "response",
  sender = "server",
  key = 69,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "entries=", "" }, holes = { { path = "entry_count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64("start_offset", "Where it begins.", { unit = "bytes" }),
      word.i64("length", "Its length.", { unit = "bytes" }),
      word.i64("entry_count", "Entries in it; -1 when not known.", { keep = true, in_info = true }),
      word.i32(
        "key_length",
        "Bytes of each key; 0 when they differ.",
        { unit = "bytes", keep = "followed", awaited = true }
      ),
    }
  end,
}

-- Asks for a new table segment. WireCommands.CreateTableSegment.
frames[#frames + 1] = {
  name = "create_table_segment",
  command = "create_table_segment",
  kind = "request",
  sender = "client",
  key = 70,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.tail(1, word.u8("sorted", "True when keys are kept in order.", { keep = "followed", awaited = true })),
      word.tail(4, word.i32(
        "key_length",
        "Bytes of each key; 0 when they differ.",
        { unit = "bytes", keep = "followed", awaited = true }
      )),
      word.tail(8, word.i64(
        "rollover_size_bytes",
        "Size at which storage begins a new chunk; 0 for the server's own.",
        { unit = "bytes" }
      )),
    }
  end,
}

-- Asks to delete a table segment. WireCommands.DeleteTableSegment.
frames[#frames + 1] = {
  name = "delete_table_segment",
  command = "delete_table_segment",
  kind = "request",
  sender = "client",
  key = 71,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.u8(
        "must_be_empty",
        "True when only an empty one may go.",
        { keep = "followed", awaited = true }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Asks to merge a table segment into another one. WireCommands.MergeTableSegments.
frames[#frames + 1] = {
  name = "merge_table_segments",
  command = "merge_table_segments",
  kind = "request",
  sender = "client",
  key = 72,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "target" } } },
    { texts = { "source=", "" }, holes = { { path = "source" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "target",
        "Segment that is merged into.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "source",
        "Segment that is merged.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Asks to seal a table segment. WireCommands.SealTableSegment.
frames[#frames + 1] = {
  name = "seal_table_segment",
  command = "seal_table_segment",
  kind = "request",
  sender = "client",
  key = 73,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, encoding = "mutf-8" }
      )),
    }
  end,
}

-- Asks to put entries into a table. WireCommands.UpdateTableEntries.
frames[#frames + 1] = {
  name = "update_table_entries",
  command = "update_table_entries",
  kind = "request",
  sender = "client",
  key = 74,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "entries=", "" }, holes = { { path = "entries", form = "count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", encoding = "mutf-8" }
      )),
      word.list(word.each({
        word.record("key", "Its key.", {
          word.i32(
            "total",
            "Bytes of the key after this number; 12 for an empty one, which has 4.",
            { unit = "bytes", keep = true }
          ),
          word.bytes(I32, "data", "The key itself.", { keep = true, raw = true, limit = 8192 }),
          word.when(function(v) return v["#entries.key.data"] > 0 end, {
            word.i64(
              "key_version",
              "Version that the entry must have: -1 for none at all, the lowest number for any.",
              { keep = "followed" }
            ),
          }),
          word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
        }),
        word.record("value", "Its value.", {
          word.i32("total", "Bytes of the value after this number.", { unit = "bytes", keep = true }),
          word.bytes(I32, "data", "The value itself.", { keep = true }),
          word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
        }),
      }), "entries", "Keys with their values.", {
        keep = true,
        in_info = true,
        count = I32,
        gathers = { "entries.key.data raw", "entries.key.key_version" },
        forget = {
          "entries.key.total",
          "entries.key.data",
          "entries.key.data raw",
          "entries.key.key_version",
          "entries.value.total",
          "entries.value.data",
        },
      }),
      word.tail(8, word.i64(
        "table_segment_offset",
        "Length that the table segment must have for the update; -1 for any.",
        { unit = "bytes", keep = "followed" }
      )),
    }
  end,
}

-- Says which versions the entries have now. WireCommands.TableEntriesUpdated.
frames[#frames + 1] = {
  name = "table_entries_updated",
  command = "table_entries_updated",
  kind = "response",
  sender = "server",
  key = 75,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "versions=", "" }, holes = { { path = "updated_versions" } } },
  },
  brief = 1000,
  correlates = "request_id",
  proves = "server",
  known = { "segment" },
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.list(
        word.i64(nil, nil, { keep = true, in_info = "many" }),
        "updated_versions",
        "Versions, in the order of the entries.",
        { keep = true, count = I32, gathers = { "updated_versions" } }
      ),
    }
  end,
}

-- Asks to remove entries of a table. WireCommands.RemoveTableKeys.
frames[#frames + 1] = {
  name = "remove_table_keys",
  command = "remove_table_keys",
  kind = "request",
  sender = "client",
  key = 76,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "keys=", "" }, holes = { { path = "keys", form = "count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", encoding = "mutf-8" }
      )),
      word.list(word.each({
        word.i32(
          "total",
          "Bytes of the key after this number; 12 for an empty one, which has 4.",
          { unit = "bytes", keep = true }
        ),
        word.bytes(I32, "data", "The key itself.", { keep = true, raw = true, limit = 8192 }),
        word.when(function(v) return v["#keys.data"] > 0 end, {
          word.i64(
            "key_version",
            "Version that the entry must have: -1 for none at all, the lowest number for any."
          ),
        }),
        word.claim("keys.total", function(v) return v["#keys.data"] + 12 end),
      }), "keys", "Keys.", {
        keep = true,
        in_info = true,
        count = I32,
        gathers = { "keys.data raw" },
        forget = { "keys.total", "keys.data", "keys.data raw" },
      }),
      word.tail(8, word.i64(
        "table_segment_offset",
        "Length that the table segment must have for the update; -1 for any.",
        { unit = "bytes", keep = "followed" }
      )),
    }
  end,
}

-- Says that they are removed. WireCommands.TableKeysRemoved.
frames[#frames + 1] = {
  name = "table_keys_removed",
  command = "table_keys_removed",
  kind = "response",
  sender = "server",
  key = 77,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  awaited = 2,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks for the entries of some keys. WireCommands.ReadTable.
frames[#frames + 1] = {
  name = "read_table",
  command = "read_table",
  kind = "request",
  sender = "client",
  key = 78,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "keys=", "" }, holes = { { path = "keys", form = "count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", encoding = "mutf-8" }
      )),
      word.list(word.each({
        word.i32(
          "total",
          "Bytes of the key after this number; 12 for an empty one, which has 4.",
          { unit = "bytes", keep = true }
        ),
        word.bytes(I32, "data", "The key itself.", { keep = true, raw = true, limit = 8192 }),
        word.when(function(v) return v["#keys.data"] > 0 end, {
          word.i64(
            "key_version",
            "Version that the entry must have: -1 for none at all, the lowest number for any."
          ),
        }),
        word.claim("keys.total", function(v) return v["#keys.data"] + 12 end),
      }), "keys", "Keys.", {
        keep = true,
        in_info = true,
        count = I32,
        gathers = { "keys.data raw" },
        forget = { "keys.total", "keys.data", "keys.data raw" },
      }),
    }
  end,
}

-- Brings the entries. WireCommands.TableRead.
frames[#frames + 1] = {
  name = "table_read",
  command = "table_read",
  kind = "response",
  sender = "server",
  key = 79,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "entries=", "" }, holes = { { path = "entries", form = "count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.list(word.each({
        word.record("key", "Its key.", {
          word.i32(
            "total",
            "Bytes of the key after this number; 12 for an empty one, which has 4.",
            { unit = "bytes", keep = true }
          ),
          word.bytes(I32, "data", "The key itself.", { keep = true, raw = true, limit = 8192 }),
          word.when(function(v) return v["#entries.key.data"] > 0 end, {
            word.i64(
              "key_version",
              "Version that the entry must have: -1 for none at all, the lowest number for any.",
              { keep = "followed" }
            ),
          }),
          word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
        }),
        word.record("value", "Its value.", {
          word.i32("total", "Bytes of the value after this number.", { unit = "bytes", keep = true }),
          word.bytes(I32, "data", "The value itself.", { keep = true }),
          word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
        }),
      }), "entries", "Keys with their values.", {
        keep = true,
        in_info = true,
        count = I32,
        gathers = { "entries.key.data raw", "entries.key.key_version" },
        forget = {
          "entries.key.total",
          "entries.key.data",
          "entries.key.data raw",
          "entries.key.key_version",
          "entries.value.total",
          "entries.value.data",
        },
      }),
    }
  end,
}

-- Says that the table is not empty. WireCommands.TableSegmentNotEmpty.
frames[#frames + 1] = {
  name = "table_segment_not_empty",
  command = "table_segment_not_empty",
  kind = "response",
  sender = "server",
  key = 80,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that a key is not there. WireCommands.TableKeyDoesNotExist.
frames[#frames + 1] = {
  name = "table_key_does_not_exist",
  command = "table_key_does_not_exist",
  kind = "response",
  sender = "server",
  key = 81,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that a key has another version. WireCommands.TableKeyBadVersion.
frames[#frames + 1] = {
  name = "table_key_bad_version",
  command = "table_key_bad_version",
  kind = "response",
  sender = "server",
  key = 82,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "server",
  holds = { "failed" },
  awaited = 3,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "server_stack_trace",
        "Where the server failed; mostly empty.",
        { keep = "followed", awaited = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks for the next keys of a table. WireCommands.ReadTableKeys.
frames[#frames + 1] = {
  name = "read_table_keys",
  command = "read_table_keys",
  kind = "request",
  sender = "client",
  key = 83,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 7,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.i32(
        "suggested_key_count",
        "Keys that the client would like.",
        { keep = "followed", awaited = true }
      ),
      word.bytes(
        I32,
        "continuation_token",
        "Where the next call continues; empty for the start or the end.",
        { keep = "followed", awaited = true }
      ),
      word.tail(4, word.bytes(
        I32,
        "prefix_filter",
        "Keys must begin with it; releases from 0.11 on leave it empty.",
        { keep = "followed", awaited = true, raw = true }
      )),
      word.tail(4, word.bytes(
        I32,
        "from_key",
        "First key; empty for the lowest.",
        { keep = "followed", awaited = true, raw = true }
      )),
      word.tail(4, word.bytes(I32, "to_key", "Last key; empty for the highest.")),
    }
  end,
}

-- Brings keys. WireCommands.TableKeysRead.
frames[#frames + 1] = {
  name = "table_keys_read",
  command = "table_keys_read",
  kind = "response",
  sender = "server",
  key = 84,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "keys=", "" }, holes = { { path = "keys", form = "count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.list(word.each({
        word.i32(
          "total",
          "Bytes of the key after this number; 12 for an empty one, which has 4.",
          { unit = "bytes", keep = true }
        ),
        word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
        word.when(function(v) return v["#keys.data"] > 0 end, {
          word.i64(
            "key_version",
            "Version that the entry must have: -1 for none at all, the lowest number for any."
          ),
        }),
        word.claim("keys.total", function(v) return v["#keys.data"] + 12 end),
      }), "keys", "Keys.", {
        keep = true,
        awaited = true,
        in_info = true,
        count = I32,
        forget = { "keys.total", "keys.data" },
      }),
      word.bytes(
        I32,
        "continuation_token",
        "Where the next call continues; empty for the start or the end.",
        { keep = "followed", awaited = true, raw = true }
      ),
    }
  end,
}

-- Asks for the next entries of a table. WireCommands.ReadTableEntries.
frames[#frames + 1] = {
  name = "read_table_entries",
  command = "read_table_entries",
  kind = "request",
  sender = "client",
  key = 85,
  responses = { false },
  dialects = { "", "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  correlates = "request_id",
  proves = "client",
  awaited = 7,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.i32(
        "suggested_entry_count",
        "Entries that the client would like.",
        { keep = "followed", awaited = true }
      ),
      word.bytes(
        I32,
        "continuation_token",
        "Where the next call continues; empty for the start or the end.",
        { keep = "followed", awaited = true }
      ),
      word.tail(4, word.bytes(
        I32,
        "prefix_filter",
        "Keys must begin with it; releases from 0.11 on leave it empty.",
        { keep = "followed", awaited = true, raw = true }
      )),
      word.tail(4, word.bytes(
        I32,
        "from_key",
        "First key; empty for the lowest.",
        { keep = "followed", awaited = true, raw = true }
      )),
      word.tail(4, word.bytes(I32, "to_key", "Last key; empty for the highest.")),
    }
  end,
}

-- Brings entries. WireCommands.TableEntriesRead.
frames[#frames + 1] = {
  name = "table_entries_read",
  command = "table_entries_read",
  kind = "response",
  sender = "server",
  key = 86,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "entries=", "" }, holes = { { path = "entries", form = "count" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "server",
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.list(word.each({
        word.record("key", "Its key.", {
          word.i32(
            "total",
            "Bytes of the key after this number; 12 for an empty one, which has 4.",
            { unit = "bytes", keep = true }
          ),
          word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
          word.when(function(v) return v["#entries.key.data"] > 0 end, {
            word.i64(
              "key_version",
              "Version that the entry must have: -1 for none at all, the lowest number for any."
            ),
          }),
          word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
        }),
        word.record("value", "Its value.", {
          word.i32("total", "Bytes of the value after this number.", { unit = "bytes", keep = true }),
          word.bytes(I32, "data", "The value itself.", { keep = true }),
          word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
        }),
      }), "entries", "Keys with their values.", {
        keep = true,
        awaited = true,
        in_info = true,
        count = I32,
        forget = { "entries.key.total", "entries.key.data", "entries.value.total", "entries.value.data" },
      }),
      word.bytes(
        I32,
        "continuation_token",
        "Where the next call continues; empty for the start or the end.",
        { keep = "followed", awaited = true, raw = true }
      ),
    }
  end,
}

-- Brings what changed. WireCommands.TableEntriesDeltaRead.
frames[#frames + 1] = {
  name = "table_entries_delta_read",
  command = "table_entries_delta_read",
  kind = "response",
  sender = "server",
  key = 87,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "entries=", "" }, holes = { { path = "entries", form = "count" } } },
    { texts = { "last=", "" }, holes = { { path = "last_position" } } },
  },
  brief = 3,
  correlates = "request_id",
  proves = "server",
  awaited = 6,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.list(word.each({
        word.record("key", "Its key.", {
          word.i32(
            "total",
            "Bytes of the key after this number; 12 for an empty one, which has 4.",
            { unit = "bytes", keep = true }
          ),
          word.bytes(I32, "data", "The key itself.", { keep = true, limit = 8192 }),
          word.when(function(v) return v["#entries.key.data"] > 0 end, {
            word.i64(
              "key_version",
              "Version that the entry must have: -1 for none at all, the lowest number for any."
            ),
          }),
          word.claim("entries.key.total", function(v) return v["#entries.key.data"] + 12 end),
        }),
        word.record("value", "Its value.", {
          word.i32("total", "Bytes of the value after this number.", { unit = "bytes", keep = true }),
          word.bytes(I32, "data", "The value itself.", { keep = true }),
          word.claim("entries.value.total", function(v) return v["#entries.value.data"] + 4 end),
        }),
      }), "entries", "Keys with their values.", {
        keep = true,
        awaited = true,
        in_info = true,
        count = I32,
        forget = { "entries.key.total", "entries.key.data", "entries.value.total", "entries.value.data" },
      }),
      word.u8(
        "should_clear",
        "True when the client must forget what it has.",
        { keep = "followed", awaited = true }
      ),
      word.u8("reached_end", "True when nothing is left.", { keep = "followed", awaited = true }),
      word.i64(
        "last_position",
        "Where the next call begins.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Asks what changed since a position. WireCommands.ReadTableEntriesDelta.
frames[#frames + 1] = {
  name = "read_table_entries_delta",
  command = "read_table_entries_delta",
  kind = "request",
  sender = "client",
  key = 88,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "from=", "" }, holes = { { path = "from_position" } } },
  },
  brief = 2,
  correlates = "request_id",
  proves = "client",
  awaited = 5,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", awaited = true, encoding = "mutf-8" }
      )),
      word.i64(
        "from_position",
        "Where to begin; the last position of the reply before.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "suggested_entry_count",
        "Entries that the client would like.",
        { keep = "followed", awaited = true }
      ),
    }
  end,
}

-- Appends bytes if the segment has the expected length. WireCommands.ConditionalBlockEnd.
frames[#frames + 1] = {
  name = "conditional_block_end",
  command = "conditional_block_end",
  kind = "command",
  sender = "client",
  key = 89,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "event=", "" }, holes = { { path = "event_number" } } },
    { texts = { "expected=", "" }, holes = { { path = "expected_offset" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 3,
  correlates = "request_id",
  proves = "client",
  known = { "segment" },
  bodies = true,
  awaited = 4,
  head = function() return head_1() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "event_number",
        "Number of the event, growing for each writer.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "expected_offset",
        "Length that the segment must have.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.bytes(I32, "data", "Bytes to append, without a head of their own.", {
        keep = "followed",
        awaited = true,
        raw = true,
        body = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
    }
  end,
}

-- Asks to merge segments into another one. WireCommands.MergeSegmentsBatch.
frames[#frames + 1] = {
  name = "merge_segments_batch",
  command = "merge_segments_batch",
  kind = "request",
  sender = "client",
  key = 90,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "target" } } },
    { texts = { "sources=", "" }, holes = { { path = "sources" } } },
  },
  brief = 1000,
  correlates = "request_id",
  proves = "client",
  awaited = 1000,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true }
      ),
      word.text(
        U16,
        "target",
        "Segment that is merged into.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.list(
        word.text(
          U16,
          nil,
          "One item.",
          { spans = { "segment" }, keep = true, in_info = "many", encoding = "mutf-8" }
        ),
        "sources",
        "Segments that are merged, in this order.",
        { keep = true, count = I32, gathers = { "sources" } }
      ),
      word.tail(1, word.text(
        U16,
        "delegation_token",
        "Token (JWT) that allows the operation; empty where security is off.",
        { secret = true, keep = "followed", encoding = "mutf-8" }
      )),
    }
  end,
}

-- Says where the target ends with each of them. WireCommands.SegmentsBatchMerged.
frames[#frames + 1] = {
  name = "segments_batch_merged",
  command = "segments_batch_merged",
  kind = "response",
  sender = "server",
  key = 91,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "target" } } },
    { texts = { "sources=", "" }, holes = { { path = "sources.source" } } },
  },
  brief = 1000,
  correlates = "request_id",
  proves = "server",
  awaited = 1,
  head = function() return head_1() end,
  steps = function()
    return {
      word.i64(
        "request_id",
        "Number that the reply repeats: flow id in the upper half, a running number in the lower one; the same for a writer's set-up and all its appends.",
        { spans = { "request_id" }, keep = true, awaited = true }
      ),
      word.text(
        U16,
        "target",
        "Segment that is merged into.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.list(
        word.each({
          word.text(
            U16,
            "source",
            "Segment that is merged.",
            { spans = { "segment" }, keep = true, in_info = "many", encoding = "mutf-8" }
          ),
          word.i64("new_target_write_offset", "Length of the target with it.", { unit = "bytes" }),
        }),
        "sources",
        "Segments that were merged.",
        { count = I32, forget = { "sources.source" } }
      ),
    }
  end,
}

-- A sign of life. WireCommands.KeepAlive.
frames[#frames + 1] = {
  name = "keep_alive",
  command = "keep_alive",
  kind = "command",
  sender = "both",
  key = 100,
  responses = { false },
  dialects = { "", "0.0" },
  shows = {},
  brief = 0,
  known = { "segment" },
  awaited = 0,
  head = function() return head_1() end,
  steps = function()
    return {}
  end,
}

-- Asks to append events of a writer to a segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "setup_append",
  command = "setup_append",
  kind = "request",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 2,
  proves = "client",
  awaited = 2,
  head = function() return head_2() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that the writer may append, and what is stored of it. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "append_setup",
  command = "append_setup",
  kind = "response",
  sender = "server",
  key = 2,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "last=", "" }, holes = { { path = "last_event_number" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 3,
  proves = "server",
  awaited = 3,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "last_event_number",
        "Newest event of the writer that is stored; the lowest number for none.",
        { keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Ends an append block. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "append_block_end",
  command = "append_block_end",
  kind = "command",
  sender = "client",
  key = 4,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "@segment" } } },
    { texts = { "last=", "" }, holes = { { path = "last_event_number" } } },
    { texts = { "writer=", "" }, holes = { { path = "writer_id" } } },
  },
  brief = 4,
  proves = "client",
  in_pieces = true,
  known = { "segment" },
  parts = { "data" },
  awaited = 4,
  head = function() return head_2() end,
  steps = function()
    return {
      word.uuid(
        "writer_id",
        "Writer, chosen by the client.",
        { spans = { "writer_id" }, keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "last_event_number",
        "Number of the last event.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "size_of_whole_events",
        "Bytes of whole events.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.bytes(I32, "data", "The rest of the last event.", {
        keep = "followed",
        awaited = true,
        raw = true,
        pieced = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
    }
  end,
}

-- Asks what a segment is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "get_stream_segment_info",
  command = "get_stream_segment_info",
  kind = "request",
  sender = "client",
  key = 11,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says what a segment is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "stream_segment_info",
  command = "stream_segment_info",
  kind = "response",
  sender = "server",
  key = 12,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "is_sealed", yes = "sealed", no = "" } } },
    { texts = { "", "" }, holes = { { path = "is_deleted", yes = "deleted", no = "" } } },
    { texts = { "", "" }, holes = { { path = "exists", yes = "exists", no = "missing" } } },
  },
  brief = 4,
  proves = "server",
  awaited = 5,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.u8("exists", "True when it is there.", { keep = true, awaited = true, in_info = true }),
      word.u8(
        "is_sealed",
        "True when nothing can be appended.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.u8("is_deleted", "True when it was deleted.", { keep = true, awaited = true, in_info = true }),
      word.i64("last_modified", "Time of the last change.", { unit = "ms", time = 3 }),
      word.i64("write_offset", "Its length.", { unit = "bytes", keep = "followed", awaited = true }),
    }
  end,
}

-- Asks what a transaction is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "get_transaction_info",
  command = "get_transaction_info",
  kind = "request",
  sender = "client",
  key = 13,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction."),
    }
  end,
}

-- Says what a transaction is. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_info",
  command = "transaction_info",
  kind = "response",
  sender = "server",
  key = 14,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
    { texts = { "", "" }, holes = { { path = "is_sealed", yes = "sealed", no = "" } } },
    { texts = { "", "" }, holes = { { path = "exists", yes = "exists", no = "missing" } } },
  },
  brief = 4,
  proves = "server",
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
      word.text(U16, "transaction_name", "Its own segment.", { encoding = "mutf-8" }),
      word.u8("exists", "True when it is there.", { keep = true, in_info = true }),
      word.u8("is_sealed", "True when nothing can be appended.", { keep = true, in_info = true }),
      word.i64("last_modified", "Time of the last change.", { unit = "ms", time = 3 }),
      word.i64("data_length", "Its length.", { unit = "bytes" }),
    }
  end,
}

-- Asks for a new segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "create_segment",
  command = "create_segment",
  kind = "request",
  sender = "client",
  key = 20,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that a segment is there now. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_created",
  command = "segment_created",
  kind = "response",
  sender = "server",
  key = 21,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks to create a transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "create_transaction",
  command = "create_transaction",
  kind = "request",
  sender = "client",
  key = 22,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Says that the transaction is created. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_created",
  command = "transaction_created",
  kind = "response",
  sender = "server",
  key = 23,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  proves = "server",
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Asks to commit a transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "commit_transaction",
  command = "commit_transaction",
  kind = "request",
  sender = "client",
  key = 24,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Says that the transaction is committed. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_committed",
  command = "transaction_committed",
  kind = "response",
  sender = "server",
  key = 25,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  proves = "server",
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Asks to abort a transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "abort_transaction",
  command = "abort_transaction",
  kind = "request",
  sender = "client",
  key = 26,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Says that the transaction is aborted. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "transaction_aborted",
  command = "transaction_aborted",
  kind = "response",
  sender = "server",
  key = 27,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "", "" }, holes = { { path = "transaction_id" } } },
  },
  brief = 2,
  proves = "server",
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("transaction_id", "Which transaction.", { keep = true, in_info = true }),
    }
  end,
}

-- Asks to seal a segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "seal_segment",
  command = "seal_segment",
  kind = "request",
  sender = "client",
  key = 28,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that the segment is sealed. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_sealed",
  command = "segment_sealed",
  kind = "response",
  sender = "server",
  key = 29,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Asks to delete a segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "delete_segment",
  command = "delete_segment",
  kind = "request",
  sender = "client",
  key = 30,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "client",
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that the segment is deleted. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_deleted",
  command = "segment_deleted",
  kind = "response",
  sender = "server",
  key = 31,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that another host has the segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "wrong_host",
  command = "wrong_host",
  kind = "response",
  sender = "server",
  key = 50,
  responses = { false },
  dialects = { "0.0" },
  shows = {
    { texts = { "!" }, holes = {} },
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "correct_host=", "" }, holes = { { path = "correct_host" } } },
  },
  brief = 2,
  proves = "server",
  holds = { "failed" },
  awaited = 2,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.text(
        U16,
        "correct_host",
        "Host that has it; the store leaves it empty.",
        { keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that the segment is sealed. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_is_sealed",
  command = "segment_is_sealed",
  kind = "response",
  sender = "server",
  key = 51,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  holds = { "failed" },
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that the segment already exists. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "segment_already_exists",
  command = "segment_already_exists",
  kind = "response",
  sender = "server",
  key = 52,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  holds = { "failed" },
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that there is no such segment. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "no_such_segment",
  command = "no_such_segment",
  kind = "response",
  sender = "server",
  key = 53,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  holds = { "failed" },
  awaited = 1,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that there is no such transaction. WireCommands of tag 0.0-prerelease.
frames[#frames + 1] = {
  name = "no_such_transaction",
  command = "no_such_transaction",
  kind = "response",
  sender = "server",
  key = 54,
  responses = { false },
  dialects = { "0.0" },
  shows = { { texts = { "!" }, holes = {} }, { texts = { "", "" }, holes = { { path = "segment" } } } },
  brief = 1,
  proves = "server",
  holds = { "failed" },
  awaited = 0,
  head = function() return head_2() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- A part of a message that was cut. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "partial_message",
  command = "partial_message",
  kind = "command",
  sender = "both",
  key = -2,
  responses = { false },
  dialects = { "draft" },
  shows = { { texts = { "position=", "" }, holes = { { path = "position" } } } },
  brief = 2,
  in_pieces = true,
  known = { "segment" },
  parts = { "data" },
  awaited = 2,
  head = function() return head_3() end,
  steps = function()
    return {
      word.u8(
        "position",
        "Which part; the numbers are not in the page.",
        { names = names.position, keep = true, awaited = true, in_info = true }
      ),
      word.bytes(REST, "data", "Its bytes.", {
        keep = "followed",
        awaited = true,
        pieced = true,
        slot = { name = "pravega.message", readers = { { embedded_record = "pravega.message", try = true } } },
      }),
    }
  end,
}

-- An event, inside of a block. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "event",
  command = "event",
  kind = "command",
  sender = "client",
  key = 0,
  responses = { false },
  dialects = { "draft" },
  shows = { { texts = { "data=", "" }, holes = { { path = "data" } } } },
  brief = 1,
  proves = "client",
  known = { "segment" },
  awaited = 1,
  head = function() return head_3() end,
  steps = function()
    return { word.bytes(REST, "data", "Its bytes.", { keep = true, awaited = true, in_info = true }) }
  end,
}

-- Asks to append to a segment. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "setup_append",
  command = "setup_append",
  kind = "request",
  sender = "client",
  key = 1,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "connection=", "" }, holes = { { path = "connection_id" } } },
  },
  brief = 2,
  proves = "client",
  awaited = 2,
  head = function() return head_3() end,
  steps = function()
    return {
      word.uuid(
        "connection_id",
        "Identifies the appender.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
    }
  end,
}

-- Says that the client may append, and what is stored. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "append_setup",
  command = "append_setup",
  kind = "response",
  sender = "server",
  key = 2,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "stored=", "" }, holes = { { path = "connection_offset_ack_level" } } },
  },
  brief = 2,
  proves = "server",
  awaited = 3,
  head = function() return head_3() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.uuid("connection_id", "Identifies the appender.", { keep = "followed", awaited = true }),
      word.i64(
        "connection_offset_ack_level",
        "Offset before which all bytes of this connection are stored; 0 for a new one.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Begins an append block. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "begin_append_block",
  command = "begin_append_block",
  kind = "command",
  sender = "client",
  key = 3,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "connection=", "" }, holes = { { path = "connection_id" } } },
    { texts = { "offset=", "" }, holes = { { path = "connection_offset" } } },
    { texts = { "bytes=", "" }, holes = { { path = "length" } } },
  },
  brief = 3,
  proves = "client",
  known = { "segment" },
  awaited = 3,
  head = function() return head_3() end,
  steps = function()
    return {
      word.uuid(
        "connection_id",
        "Identifies the appender.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "connection_offset",
        "Bytes written over this connection so far.",
        { unit = "bytes", keep = true, in_info = true }
      ),
      word.i32(
        "length",
        "Bytes before EndAppendBlock; the block may get another size.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.bytes(REST, "data", "Events of the block, where they count among its bytes: the page does not say.", {
        keep = "followed",
        awaited = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
    }
  end,
}

-- Ends an append block. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "end_append_block",
  command = "end_append_block",
  kind = "command",
  sender = "client",
  key = 4,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "connection=", "" }, holes = { { path = "connection_id" } } },
    { texts = { "offset=", "" }, holes = { { path = "connection_offset" } } },
    { texts = { "bytes=", "" }, holes = { { path = "block_length" } } },
  },
  brief = 3,
  proves = "client",
  known = { "segment" },
  awaited = 3,
  head = function() return head_3() end,
  steps = function()
    return {
      word.uuid(
        "connection_id",
        "Identifies the appender.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "connection_offset",
        "Bytes written over this connection so far.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "block_length",
        "Bytes of the block that was written.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Acknowledges what is stored. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "data_appended",
  command = "data_appended",
  kind = "command",
  sender = "server",
  key = 7,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "connection=", "" }, holes = { { path = "connection_id" } } },
    { texts = { "stored=", "" }, holes = { { path = "connection_offset_ack_level" } } },
  },
  brief = 2,
  proves = "server",
  known = { "segment" },
  awaited = 2,
  head = function() return head_3() end,
  steps = function()
    return {
      word.uuid(
        "connection_id",
        "Identifies the appender.",
        { keep = true, awaited = true, in_info = true }
      ),
      word.i64(
        "connection_offset_ack_level",
        "Offset before which all bytes of this connection are stored; 0 for a new one.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
    }
  end,
}

-- Asks for bytes of a segment. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "read_segment",
  command = "read_segment",
  kind = "request",
  sender = "client",
  key = 9,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
  },
  brief = 2,
  proves = "client",
  awaited = 3,
  head = function() return head_3() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64(
        "offset",
        "Where to begin.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.i32(
        "suggested_length",
        "Bytes that the client would like.",
        { unit = "bytes", keep = "followed", awaited = true }
      ),
    }
  end,
}

-- Brings bytes of a segment. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "segment_read",
  command = "segment_read",
  kind = "response",
  sender = "server",
  key = 10,
  responses = { false },
  dialects = { "draft" },
  shows = {
    { texts = { "", "" }, holes = { { path = "segment" } } },
    { texts = { "offset=", "" }, holes = { { path = "offset" } } },
    { texts = { "at_tail=", "" }, holes = { { path = "at_tail" } } },
  },
  brief = 4,
  proves = "server",
  in_pieces = true,
  parts = { "data" },
  awaited = 5,
  head = function() return head_3() end,
  steps = function()
    return {
      word.text(
        U16,
        "segment",
        "Name of the segment: scope/stream/number.#epoch.epoch, with suffixes.",
        { spans = { "segment" }, keep = true, awaited = true, in_info = true, encoding = "mutf-8" }
      ),
      word.i64(
        "offset",
        "Where they begin.",
        { unit = "bytes", keep = true, awaited = true, in_info = true }
      ),
      word.bits(1, {
        word.part(
          "at_tail",
          1,
          "1 when nothing is stored after them; its place is not in the page.",
          { keep = true, awaited = true, in_info = true }
        ),
        word.part(
          "end_of_segment",
          1,
          "1 when nothing follows; its place is not in the page.",
          { keep = "followed", awaited = true }
        ),
        word.reserved(6),
      }),
      word.bytes(REST, "data", "The bytes.", {
        keep = "followed",
        awaited = true,
        raw = true,
        pieced = true,
        slot = { name = "pravega.block", readers = { { embedded_record = "pravega.block", try = true } } },
      }),
    }
  end,
}

-- A sign of life. Streaming Service Wire Protocol.
frames[#frames + 1] = {
  name = "keep_alive",
  command = "keep_alive",
  kind = "command",
  sender = "both",
  key = 100,
  responses = { false },
  dialects = { "draft" },
  shows = { { texts = { "data=", "" }, holes = { { path = "data" } } } },
  brief = 1,
  known = { "segment" },
  awaited = 0,
  head = function() return head_3() end,
  steps = function()
    return { word.bytes(REST, "data", "Means nothing; mostly empty.", { keep = true, in_info = true }) }
  end,
}

local K = {
  ACKED_LIMIT = 5,
  ALIVE_LIMIT = 5,
  ALONE_LIMIT = 3,
  ALONE_PAUSE = 10000000000,
  ANSWER_LATE = 2000000000,
  BACK = 60000000000,
  BROAD = 24,
  CHANGE_LIMIT = 3,
  CHANGE_PAUSE = 5000000000,
  CHECKPOINT_LIMIT = 3,
  CHECKPOINT_PAUSE = 600000000000,
  CLOSED_AFTER = 1000000000,
  CONNECTION_LIMIT = 4,
  CROSSING = 200000000,
  CRUMB_LIMIT = 5,
  CUT_PAUSE = 3000000000,
  DROPPED_LIMIT = 4,
  ECHO = 5000000000,
  EMPTY_LIMIT = 3,
  EMPTY_PAUSE = 10000000000,
  EVENT_HEAD = 8,
  EXISTING_LIMIT = 3,
  EXISTING_STARTS = 3,
  FEW_FRAMES = 8,
  FIRST_APPENDS = 16,
  FLOW_IDS = 4294967296,
  FORGOTTEN = 5000000000,
  GRACE = 2000000000,
  GROUP_LIMIT = 3,
  HALF_OPEN = 1000000000,
  IDLE = 60000000000,
  IDLE_LIMIT = 8,
  JOINED_LIMIT = 5,
  KEPT = 1048576,
  LARGEST_BEFORE = 8388607,
  LARGEST_READ = 16777216,
  LEFT_SEGMENT = 1000000000,
  LISTED_LIMIT = 3,
  LISTED_PAUSE = 60000000000,
  LONGEST_KEPT = 4096,
  LONGEST_LEASE = 86400000,
  LONG_RETENTION = 315360000000,
  MANY_SEGMENTS = 500,
  MANY_WAITING = 1000,
  MEASURED_LIMIT = 8,
  MISDIRECTED_LIMIT = 3,
  MISPLACED_LIMIT = 8,
  MOST_EVENTS = 10000000,
  MOST_KBYTES = 1000000,
  NONE = -9223372036854775808,
  NOTED_LIMIT = 3,
  NOTED_PAUSE = 60000000000,
  ONE_NOTES_LIMIT = 4,
  ONE_NOTES_TIME = 10000000000,
  OPEN_READS = 3,
  OTHER_UNIT = 500,
  OVERLAP_LIMIT = 3,
  PAGE_LIMIT = 3,
  PAIR_LIMIT = 3,
  PING_LIMIT = 5,
  PING_PART = 20,
  POLL_LIMIT = 5,
  POLL_PAUSE = 100000000,
  REFUSED_LIMIT = 3,
  REFUSED_PAUSE = 2000000000,
  RELEASE_LIMIT = 5,
  RELEASE_PAUSE = 10000000000,
  REMOVED_LIMIT = 3,
  RESENT = 60000000000,
  RETURNED_LIMIT = 3,
  RETURNED_TIME = 2000000000,
  SAME_CHANGES = 3,
  SAME_EVENTS = 5,
  SAME_LIMIT = 3,
  SAME_PAGE = 3,
  SAMPLE = 64,
  SCAN_LIMIT = 5,
  SCAN_PAUSE = 5000000000,
  SEALED_LIMIT = 2,
  SEALS_LIMIT = 3,
  SHORTEST_KEPT = 16,
  SHORTEST_LEASE = 1000,
  SHORT_CHECKPOINT = 1000,
  SHORT_REFRESH = 100,
  SHORT_RETENTION = 60000,
  SINCE = {
    [-127] = 1,
    [-6] = 15,
    [-4] = 14,
    [-2] = 1,
    [38] = 2,
    [40] = 15,
    [41] = 17,
    [50] = 1,
    [56] = 2,
    [57] = 4,
    [58] = 5,
    [61] = 11,
    [62] = 1,
    [68] = 12,
    [70] = 7,
    [87] = 10,
    [89] = 11,
    [90] = 15,
    [92] = 1,
  },
  SINGLE_LIMIT = 5,
  SKIP_LIMIT = 3,
  SKIP_PAUSE = 10000000000,
  SMALL_RETENTION = 65536,
  SPREAD_EVENTS = 20,
  STALE_LIMIT = 3,
  STARTS_LIMIT = 2,
  STARVED = 4000000000,
  STEP_LIMIT = 5,
  STREAM_LIMIT = 4,
  TIMES_LIMIT = 5,
  TIMES_PAUSE = 100000000,
  TINY = 1024,
  TOKEN_LIMIT = 5,
  TOKEN_PAUSE = 10000000000,
  TURNED_LIMIT = 3,
  TURNED_PAUSE = 30000000000,
  UNREAD = 1000000000,
  UNREAD_SEGMENT = 3000000000,
  UNRELEASED = 10000000000,
  UNSTORED = 5000000000,
  WRITER_LIMIT = 4,
}

local LISTS = {
  {["end"] = true, ["idle"] = true, ["crowded"] = true, ["lost"] = true},
  {["closed"] = true, ["reset"] = true},
  {[2] = true, [3] = true},
  {[2] = true, [3] = true, [4] = true, [5] = true, [6] = true},
  {["closed"] = true, ["reset"] = true, ["end"] = true},
  {[1] = true, [2] = true},
  {["commitTransaction"] = true, ["abortTransaction"] = true},
  {["hello"] = true, ["unknown"] = true},
  {["a gap interrupts this frame"] = true, ["the connection or capture ended first"] = true},
  {[13] = true, [14] = true, [22] = true, [23] = true, [24] = true, [25] = true, [26] = true, [27] = true, [54] = true},
  {[72] = true, [73] = true},
  {["append_block_end"] = true, ["keep_alive"] = true},
  {["flushed_to_storage"] = true},
  {["storage_chunks_listed"] = true},
  {["stream_segment_info"] = true},
  {["transaction_info"] = true},
  {["segment_created"] = true},
  {["transaction_created"] = true},
  {["transaction_committed"] = true},
  {["transaction_aborted"] = true},
  {["segment_sealed"] = true},
  {["segment_deleted"] = true},
  {["segment_policy_updated"] = true},
  {["segment_attribute"] = true},
  {["segment_attribute_updated"] = true},
  {["segment_truncated"] = true},
  {["offset_located"] = true, ["segment_truncated"] = true},
  {["segments_merged"] = true, ["segment_attribute_updated"] = true},
  {["segments_merged"] = true},
  {["segments_batch_merged"] = true},
  {["table_segment_info"] = true},
  {["table_entries_updated"] = true},
  {["table_keys_removed"] = true},
  {["table_read"] = true},
  {["table_keys_read"] = true},
  {["table_entries_read"] = true},
  {["table_entries_delta_read"] = true},
  {[4] = true, [5] = true},
  {[1] = true, [2] = true, [3] = true, [4] = true, [7] = true},
  {[0] = true, [2] = true},
  {["localhost"] = true, ["0.0.0.0"] = true, ["::1"] = true, ["::"] = true},
  {["event"] = true, ["partial_message"] = true, ["keep_alive"] = true, ["end_append_block"] = true},
}

local GUARDS = {
  { [[((c.success == 0) or (c.success == 1))]], "c" },
  { [[(c["#entries"] == 0)]], "c" },
  { [[((c["#entries"] or 0) > 0)]], "c" },
  { [[(not f.starts(c.segment, "_system/"))]], "c" },
  { [[(c["#entries"] == 1) and (not f.starts(c.segment, "_system/"))]], "c" },
  { [[(c["#data"] == 0) and (c.at_tail == 1) and (c.end_of_segment == 0)]], "c" },
  { [[((c["#keys"] or 1) > 1) and (not f.starts(c.segment, "_system/"))]], "c" },
  { [[((c["#entries"] or 1) > 1) and (not f.starts(c.segment, "_system/"))]], "c" },
  { [[((f.len(c.correct_host) or 0) > 0)]], "c" },
  { [[(not f.starts(c.segment, "_system/")) and (c["#entries"] == 1)]], "c" },
  { [[(not f.starts(c.segment, "_system/")) and (c["#keys"] == 1)]], "c" },
  { [[(c.suggested_key_count == 1) and (not f.starts(c.segment, "_system/"))]], "c" },
  { [[(c.suggested_entry_count == 1) and (not f.starts(c.segment, "_system/"))]], "c" },
  { [[(f.between(c.segment, "epoch.", "#transaction.") ~= nil)]], "c" },
  { [[(f.between(c.segment, "#transient.", "") ~= nil)]], "c" },
  {
    [[((not f.starts(c.segment, "_system/")) and (f.between(c.segment, "/_", "/") == nil))]],
    "c",
  },
  {
    [[(c.num_events == 1) and (c.size_of_whole_events ~= nil and c["#data"] ~= nil and (c.size_of_whole_events + c["#data"]) >= K.SHORTEST_KEPT) and (c.size_of_whole_events ~= nil and c["#data"] ~= nil and (c.size_of_whole_events + c["#data"]) <= K.LONGEST_KEPT)]],
    "c",
  },
  {
    [[((c["#data"] ~= nil and K.SHORTEST_KEPT <= c["#data"]) and (c["#data"] ~= nil and c["#data"] <= K.LONGEST_KEPT)) and ((not f.starts(c.segment, "_system/")) and (f.between(c.segment, "/_", "/") == nil))]],
    "c",
  },
  {
    [[(c["carrier.method"] == "getCurrentSegments") and (f.coalesce(c["#segment_ranges"], 0) == 0)]],
    "c",
  },
  { [[(c.request_id ~= nil and c.request_id >= 0)]], "c" },
  { [[(c.status == 2)]], "c" },
  { [[(f.coalesce(c.status, 0) == 0)]], "c" },
  {
    [[((f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/")) ~= nil) and (not f.starts(c.segment, "_system/"))]],
    "c",
  },
  { [[(c.result == 1)]], "c" },
  { [[(c["carrier.method"] == "truncateStream")]], "c" },
  {
    [[((not f.starts(c.segment, "_system/")) and (f.between(c.segment, "/_", "/") == nil)) and ((c["#entries"] or 0) > 0)]],
    "c",
  },
  { [[(not f.starts(c.segment, "_system/")) and (f.between(c.segment, "/_", "/") == nil)]], "c" },
  {
    [[((c["#entries"] or 2) > 2) and (not f.starts(c.segment, "_system/")) and (f.between(f.last(c["entries.key.data raw[]"]), "16distance_to_tail", "") ~= nil) and (f.first(c["entries.key.key_version[]"]) == -1) and (f.between(f.first(c["entries.key.data raw[]"]), "17assigned_segments/", "") ~= nil)]],
    "c",
  },
  {
    [[((c.request_id ~= nil and 0 <= c.request_id) and (c.request_id ~= nil and c.request_id < K.FLOW_IDS)) and ((not f.starts(c.segment, "_system/")) and (f.between(c.segment, "/_", "/") == nil))]],
    "c",
  },
  {
    [[(not f.starts(c.segment, "_system/")) and (f.between(c.segment, "_kvtable/", "") ~= nil)]],
    "c",
  },
  { [[(c["carrier.method"] == "updateStream")]], "c" },
  { [[((c.status ~= nil and c.status > 0) or (f.coalesce(c.status, 0) == 0))]], "c" },
  {
    [[(((c.status ~= nil and c.status > 0) and (c.status ~= nil and c.status ~= 2)) or (f.coalesce(c.status, 0) == 0))]],
    "c",
  },
  { [[((f.len(c.delegation_token) or 0) > 0)]], "c" },
  {
    [[(c.size_of_whole_events ~= nil and c["#data"] ~= nil and (c.size_of_whole_events + c["#data"]) <= K.LONGEST_KEPT)]],
    "c",
  },
  {
    [[(f.len(f.coalesce(c["event raw"], c["data raw"])) ~= nil and f.len(f.coalesce(c["event raw"], c["data raw"])) <= K.LONGEST_KEPT)]],
    "c",
  },
  { [[(c["#data"] ~= nil and c["#data"] <= K.LONGEST_KEPT)]], "c" },
  {
    [[(c.size_of_whole_events ~= nil and c["#data"] ~= nil and (c.size_of_whole_events + c["#data"]) >= K.SHORTEST_KEPT)]],
    "c",
  },
  {
    [[(f.len(f.coalesce(c["event raw"], c["data raw"])) ~= nil and f.len(f.coalesce(c["event raw"], c["data raw"])) >= K.SHORTEST_KEPT)]],
    "c",
  },
  { [[(c["#data"] ~= nil and c["#data"] >= K.SHORTEST_KEPT)]], "c" },
  { [[(c.end_of_segment == 1)]], "c" },
  { [[(c.connection_offset_ack_level ~= nil)]], "c" },
  { [[(c.success == 0)]], "c" },
  { [[(c.success == 1)]], "c" },
  { [[((c["#continuation_token"] or 0) > 0)]], "c" },
  { [[((c["#data"] or 0) > 0) and (c.end_of_segment == 0)]], "c" },
  { [[(c.suggested_length ~= nil and c.suggested_length < K.TINY)]], "c" },
  { [[(c.num_events == 1)]], "c" },
  {
    [[(c.num_events == 1) and (c.size_of_whole_events ~= nil and c["#data"] ~= nil and (c.size_of_whole_events + c["#data"]) < K.EVENT_HEAD)]],
    "c",
  },
  { [[((c["#data"] or 0) > 0)]], "c" },
  { [[(c["carrier.method"] == "sealStream")]], "c" },
  { [[(c["carrier.method"] == "deleteStream")]], "c" },
  { [[(c["carrier.method"] == "createStream")]], "c" },
  { [[f.starts(c.segment, "_system/")]], "c" },
  { [[(c["carrier.method"] == "createReaderGroup")]], "c" },
  { [[(f.between(c.kvt_name, "", "_kvtable") ~= nil)]], "c" },
  { [[(c["carrier.method"] == "deleteReaderGroup")]], "c" },
  { [=[LISTS[7][c["carrier.method"]]]=], "c" },
  { [[(f.between(c["event raw"], "\000\008\000\001\000\000\000\000", "") ~= nil)]], "c" },
  { [[(f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= nil)]], "c" },
  { [[(f.between(c["event raw"], "\000\002\000\001\000\000\000\000", "") ~= nil)]], "c" },
  { [[(f.between(c["event raw"], "\000\005\000\001\000\000\000\000", "") ~= nil)]], "c" },
  {
    [[((f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= nil) or (f.between(c["event raw"], "\000\003\000\001\000\000\000\000", "") ~= nil) or (f.between(c["event raw"], "\000\004\000\001\000\000\000\000", "") ~= nil))]],
    "c",
  },
  {
    [[((c["#entries"] or 2) > 2) and (not f.starts(c.segment, "_system/")) and (f.between(f.last(c["entries.key.data raw[]"]), "16distance_to_tail", "") ~= nil)]],
    "c",
  },
  { [[(f.between(c["event raw"], "\000\004\000\001\000\000\000\000", "") ~= nil)]], "c" },
  {
    [[((c["#scopes"] or 0) > 0) and ((f.len(f.coalesce(c["continuation_token.token"], "")) or 0) > 0)]],
    "c",
  },
  {
    [[((c["#streams"] or 0) > 0) and ((f.len(f.coalesce(c["continuation_token.token"], "")) or 0) > 0)]],
    "c",
  },
  {
    [[((c["#kvtables"] or 0) > 0) and ((f.len(f.coalesce(c["continuation_token.token"], "")) or 0) > 0)]],
    "c",
  },
  { [[((c["#scopes"] or 0) > 0)]], "c" },
  { [[((c["#streams"] or 0) > 0)]], "c" },
  { [[((c["#kvtables"] or 0) > 0)]], "c" },
  { [[(c.status ~= nil and c.status > 0)]], "c" },
  { [[(c.status ~= nil and c.status > 0) and (c.status ~= nil and c.status ~= 2)]], "c" },
  { [[(c["carrier.method"] == "commitTransaction")]], "c" },
  { [[(c.end_of_segment == 1) and ((c["#data"] or 0) > 0)]], "c" },
  {
    [[(c.skipped ~= nil and c.skipped > 0) and (c.reason ~= nil and not LISTS[9][c.reason])]],
    "c",
  },
  { [[(c.request_id ~= nil)]], "c" },
  { [[(c.rollover_size_bytes ~= nil)]], "c" },
  { [[(c.sorted ~= nil)]], "c" },
  { [[(c["attribute_updates[]"] ~= nil)]], "c" },
  { [[(c.table_segment_offset ~= nil)]], "c" },
  { [[(c["prefix_filter raw"] ~= nil)]], "c" },
  {
    [[(c.size_of_whole_events ~= nil and c.size_of_whole_events > 0) and (c["#data"] == 0)]],
    "c",
  },
  { [[(c.low_version ~= nil and c.high_version ~= nil and c.low_version > c.high_version)]], "c" },
  {
    [[((c.suggested_length ~= nil and c.suggested_length <= 0) or (c.offset ~= nil and c.offset < 0))]],
    "c",
  },
  { [[(c.suggested_key_count ~= nil and c.suggested_key_count <= 0)]], "c" },
  { [[(c.suggested_entry_count ~= nil and c.suggested_entry_count <= 0)]], "c" },
  { [[(c.suggested_length ~= nil and c.suggested_length > K.LARGEST_READ)]], "c" },
  { [[(c["#keys"] == 0)]], "c" },
  { [[(c.num_events ~= nil and c.num_events <= 0)]], "c" },
  { [[(c.num_events ~= nil and c.num_events > 0)]], "c" },
  { [[(c["#data"] == 0) and (c.at_tail == 0) and (c.end_of_segment == 0)]], "c" },
  { [[((f.len(c.delegation_token) or 0) > 0) and (not f.starts(c.segment, "_system/"))]], "c" },
  { [[(c.error_code ~= nil and c.error_code ~= 1)]], "c" },
  {
    [[f.any_eq(c["entries.key.key_version[]"], -9223372036854775808.0) and f.any_ne(c["entries.key.key_version[]"], -9223372036854775808.0)]],
    "c",
  },
  {
    [[((c.at_tail ~= nil and c.at_tail > 1) or (c.end_of_segment ~= nil and c.end_of_segment > 1))]],
    "c",
  },
  {
    [[((c.exists ~= nil and c.exists > 1) or (c.is_sealed ~= nil and c.is_sealed > 1) or (c.is_deleted ~= nil and c.is_deleted > 1))]],
    "c",
  },
  { [[(c.success ~= nil and c.success > 1)]], "c" },
  { [[f.any_above(c["chunks.exists_in_storage[]"], 1)]], "c" },
  { [[(c.sorted ~= nil and c.sorted > 1)]], "c" },
  { [[(c.must_be_empty ~= nil and c.must_be_empty > 1)]], "c" },
  {
    [[((c.should_clear ~= nil and c.should_clear > 1) or (c.reached_end ~= nil and c.reached_end > 1))]],
    "c",
  },
  {
    [[((c.scale_type ~= nil and c.scale_type > 2) or (c.scale_type ~= nil and c.scale_type < 0) or (c.target_rate ~= nil and c.target_rate < 0))]],
    "c",
  },
  { [[LISTS[6][c.scale_type] and (c.target_rate == 0)]], "c" },
  { [[(c.target ~= nil and c.source ~= nil and c.target == c.source)]], "c" },
  { [[((f.len(c.server_stack_trace) or 0) > 0)]], "c" },
  { [[(c["data raw"] ~= nil)]], "c" },
  { [[(not f.starts(f.coalesce(c.segment, ""), "_system/"))]], "c" },
  { [[((c["#data"] == 0) and (c.at_tail == 1) and (c.end_of_segment == 0))]], "c" },
  { [[((c["#entries"] == 1) and (not f.starts(c.segment, "_system/")))]], "c" },
  { [[((not f.starts(c.segment, "_system/")) and (c["#entries"] == 1))]], "c" },
  { [[((not f.starts(c.segment, "_system/")) and (c["#keys"] == 1))]], "c" },
  { [[((c.suggested_key_count == 1) and (not f.starts(c.segment, "_system/")))]], "c" },
  { [[((c.suggested_entry_count == 1) and (not f.starts(c.segment, "_system/")))]], "c" },
  {
    [[(f.between(c.source, "epoch.", "#transaction.") ~= nil) and (not f.starts(c.source, c.target))]],
    "c",
  },
  { [[(c.num_events ~= nil and c.num_events >= 6)]], "c" },
  { [=[LISTS[38][c.state]]=], "c" },
  { [=[LISTS[39][c.status]]=], "c" },
  { [[(c.status ~= nil and not LISTS[40][c.status])]], "c" },
  { [[(f.between(c["event raw"], "\000\003\000\001\000\000\000\000", "") ~= nil)]], "c" },
  { [[(c.result ~= nil and c.result > 0)]], "c" },
  { [[(f.first(c["entries.key.key_version[]"]) == K.NONE)]], "c" },
  {
    [=[LISTS[6][c["scaling_policy.scale_type"]] and ((f.coalesce(c["scaling_policy.target_rate"], 0) or 1) <= 0)]=],
    "c",
  },
  {
    [[(((c["scaling_policy.scale_type"] == 1) and (c["scaling_policy.target_rate"] ~= nil and c["scaling_policy.target_rate"] >= K.MOST_KBYTES)) or ((c["scaling_policy.scale_type"] == 2) and (c["scaling_policy.target_rate"] ~= nil and c["scaling_policy.target_rate"] >= K.MOST_EVENTS)))]],
    "c",
  },
  {
    [=[LISTS[6][c["scaling_policy.scale_type"]] and ((f.coalesce(c["scaling_policy.scale_factor"], 0) or 2) <= 1)]=],
    "c",
  },
  {
    [[(c["carrier.method"] == "createStream") and ((f.coalesce(c["scaling_policy.min_num_segments"], 0) or 1) <= 0)]],
    "c",
  },
  {
    [[(c["scaling_policy.min_num_segments"] ~= nil and c["scaling_policy.min_num_segments"] >= K.MANY_SEGMENTS)]],
    "c",
  },
  {
    [[(f.coalesce(c["retention_policy.retention_type"], 0) == 0) and (c["retention_policy.retention_param"] ~= nil and c["retention_policy.retention_param"] > 0)]],
    "c",
  },
  {
    [[((c["retention_policy.retention_type"] == 1) or (c["retention_policy.retention_type"] == 2)) and ((f.coalesce(c["retention_policy.retention_param"], 0) or 1) <= 0)]],
    "c",
  },
  {
    [[(c["retention_policy.retention_type"] == 1) and (c["retention_policy.retention_param"] ~= nil and c["retention_policy.retention_param"] < K.SHORT_RETENTION) and ((f.coalesce(c["retention_policy.retention_max"], 0) < K.SHORT_RETENTION) or (f.coalesce(c["retention_policy.retention_max"], 0) == 9223372036854775807.0))]],
    "c",
  },
  {
    [[(c["retention_policy.retention_type"] == 2) and (c["retention_policy.retention_param"] ~= nil and c["retention_policy.retention_param"] < K.SMALL_RETENTION) and ((f.coalesce(c["retention_policy.retention_max"], 0) < K.SMALL_RETENTION) or (f.coalesce(c["retention_policy.retention_max"], 0) == 9223372036854775807.0))]],
    "c",
  },
  {
    [[(c["retention_policy.retention_type"] == 1) and (c["retention_policy.retention_param"] ~= nil and c["retention_policy.retention_param"] > K.LONG_RETENTION)]],
    "c",
  },
  {
    [[((c["retention_policy.retention_type"] == 1) or (c["retention_policy.retention_type"] == 2)) and ((c["retention_policy.retention_max"] ~= nil and 0 < c["retention_policy.retention_max"]) and (c["retention_policy.retention_max"] ~= nil and c["retention_policy.retention_param"] ~= nil and c["retention_policy.retention_max"] < c["retention_policy.retention_param"]))]],
    "c",
  },
  {
    [[(c["carrier.method"] == "updateStream") and (f.coalesce(c["retention_policy.retention_type"], 0) == 0)]],
    "c",
  },
  {
    [[(c["carrier.method"] == "updateStream") and (f.coalesce(c["scaling_policy.scale_type"], 0) == 0)]],
    "c",
  },
  { [[(f.starts(c.endpoint, "127.") or LISTS[41][c.endpoint])]], "c" },
  { [[(f.coalesce(c.lease, 0) < K.SHORTEST_LEASE)]], "c" },
  { [[(c.lease ~= nil and c.lease > K.LONGEST_LEASE)]], "c" },
  {
    [[((f.coalesce(c["#sealed_segments"], 0) == 0) or (f.coalesce(c["#new_key_ranges"], 0) == 0))]],
    "c",
  },
  {
    [[(((c.group_refresh_time_millis ~= nil and 0 < c.group_refresh_time_millis) and (c.group_refresh_time_millis ~= nil and c.group_refresh_time_millis < K.SHORT_REFRESH)) or ((c.automatic_checkpoint_interval_millis ~= nil and 0 < c.automatic_checkpoint_interval_millis) and (c.automatic_checkpoint_interval_millis ~= nil and c.automatic_checkpoint_interval_millis < K.SHORT_CHECKPOINT)))]],
    "c",
  },
  { [[((f.coalesce(c.partition_count, 0) or 1) <= 0)]], "c" },
  { [[(c.status == 3)]], "c" },
  { [=[LISTS[3][c.status]]=], "c" },
  { [[(c.timestamp ~= nil and c.timestamp > 0)]], "c" },
  { [[(c.position == 0)]], "c" },
  { [=[LISTS[6][c.position]]=], "c" },
  { [[(c.position ~= nil and c.position > 2)]], "c" },
}

local TALLIED = {
  frames = { side = true },
  last_n = { side = true, writer = true },
  last_t = { input = true, side = true, writer = true },
}

local CONTEXT = { writer = { segment = "segment" }, req = { segment = "segment" } } -- object, field, slot with its value

local PAIRS = {
  {
    name = "call",
    asks = "flush_to_storage list_storage_chunks get_stream_segment_info get_transaction_info create_segment create_transient_segment create_table_segment create_transaction commit_transaction abort_transaction seal_segment seal_table_segment delete_segment delete_table_segment update_segment_policy get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments merge_table_segments merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table read_table_keys read_table_entries read_table_entries_delta",
    answers = "flushed_to_storage offset_located segment_attribute segment_attribute_updated segment_created segment_deleted segment_policy_updated segment_sealed segment_truncated segments_batch_merged segments_merged storage_chunks_listed stream_segment_info table_entries_delta_read table_entries_read table_entries_updated table_keys_read table_keys_removed table_read table_segment_info transaction_aborted transaction_committed transaction_created transaction_info wrong_host segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported auth_token_check_failed error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    type = "call",
    key = "request_id",
    keep = {
      asked = { [[name]], "name" },
      segment = "segment",
      continued = { [=[c["#continuation_token"]]=], "c" },
      versions = { [[f.greatest(c["entries.key.key_version[]"])]], "c" },
      wanted_key = { [[f.first(c["keys.data raw[]"])]], "c" },
      wanted = { [[f.coalesce(c.suggested_key_count, c.suggested_entry_count)]], "c" },
      from_position = "from_position",
      begins = "from_key raw",
    },
  },
  {
    name = "read",
    asks = "read_segment",
    answers = "segment_read segment_is_sealed segment_is_truncated no_such_segment",
    type = "read",
    key = { [[f.key(c.segment, c.offset)]], "c" },
    answer_key = { [[f.key(c.segment, c.offset)]], "c" },
    keep = {
      asked = { [[name]], "name" },
      segment = "segment",
      start = "offset",
      suggested_length = "suggested_length",
    },
  },
  {
    name = "set_up",
    asks = "setup_append",
    answers = "append_setup wrong_host segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported auth_token_check_failed error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    key = { [[f.coalesce(c.request_id, c.writer_id)]], "c" },
    answer_key = { [[f.coalesce(c.request_id, c.writer_id)]], "c" },
    keep = {
      asked = { [[name]], "name" },
      writer_id = "writer_id",
      segment = "segment",
      asked_t = { [[t]], "t" },
    },
  },
  {
    name = "drafted",
    asks = "setup_append",
    answers = "append_setup",
    key = "connection_id",
    keep = { segment = "segment", asked_t = { [[t]], "t" } },
  },
  {
    name = "controlled",
    asks = "controller_scope_info controller_stream_config controller_key_value_table_config controller_reader_group_configuration",
    answers = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status controller_update_stream_status controller_delete_stream_status controller_delete_scope_status controller_delete_kv_table_status controller_delete_reader_group_status controller_update_reader_group_response controller_update_subscriber_status controller_create_reader_group_response",
    key = "carrier.stream_id",
    keep = {
      method = "carrier.method",
      scope = { [[f.coalesce(c.scope, c["stream_info.scope"])]], "c" },
      named = { [[f.coalesce(c["stream_info.stream"], f.coalesce(c.kvt_name, c.reader_group_name))]], "c" },
    },
  },
  {
    name = "transacted",
    asks = "controller_create_txn_request controller_txn_request controller_ping_txn_request",
    answers = "controller_create_txn_response controller_txn_status controller_ping_txn_status controller_txn_state",
    key = "carrier.stream_id",
    keep = {
      lease = "lease",
      method = "carrier.method",
      scope = "stream_info.scope",
      stream = "stream_info.stream",
      high = { [[f.coalesce(c["txn_id.high_bits"], 0)]], "c" },
      low = { [[f.coalesce(c["txn_id.low_bits"], 0)]], "c" },
    },
  },
  {
    name = "noted",
    asks = "controller_timestamp_from_writer",
    answers = "controller_timestamp_response",
    key = "carrier.stream_id",
    keep = {
      noter = "writer",
      scope = "position.stream_info.scope",
      stream = "position.stream_info.stream",
    },
  },
  {
    name = "listed",
    asks = "controller_scopes_request controller_streams_in_scope_request controller_streams_in_scope_with_tag_request controller_kv_tables_in_scope_request",
    answers = "controller_scopes_response controller_streams_in_scope_response controller_kv_tables_in_scope_response",
    key = "carrier.stream_id",
    keep = {
      method = "carrier.method",
      scope = "scope",
      tag = "tag",
      token = { [[f.coalesce(c["continuation_token.token"], "")]], "c" },
    },
  },
  {
    name = "changed",
    asks = "controller_stream_info controller_stream_cut controller_delete_scope_request controller_key_value_table_info controller_reader_group_info controller_subscriber_stream_cut controller_scale_request controller_scale_status_request",
    answers = "controller_update_stream_status controller_delete_stream_status controller_delete_scope_status controller_delete_kv_table_status controller_delete_reader_group_status controller_update_reader_group_response controller_update_subscriber_status controller_create_reader_group_response controller_scale_response controller_scale_status_response controller_delegation_token controller_segment_ranges",
    key = "carrier.stream_id",
    keep = {
      method = "carrier.method",
      scope = { [[f.coalesce(c.scope, c["stream_info.scope"])]], "c" },
      named = {
        [[f.coalesce(c.stream, f.coalesce(c["stream_info.stream"], f.coalesce(c.kvt_name, c.reader_group)))]],
        "c",
      },
    },
  },
}

local LIVES = {
  {
    name = "conn",
    type = "connection",
    scope = "connection",
    keys = {},
    steps = { { from = { absent = true, unknown = true }, on = "any", to = "open" } },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "input",
    scope = "connection",
    keys = { { on = "read_segment segment_read segment_is_truncated", key = "segment" } },
    steps = { { from = { absent = true, unknown = true }, on = "read_segment segment_read", to = "read" } },
    each = {},
    final = {},
    live = {},
    starts = { reads = 0, bytes = 0 },
  },
  {
    name = "reader",
    scope = "connection",
    keys = {
      {
        on = "read_segment segment_read segment_is_truncated segment_is_sealed no_such_segment wrong_host",
        key = { [[f.key(c.segment, c.request_id)]], "c" },
      },
    },
    steps = { { from = { absent = true, unknown = true }, on = "read_segment segment_read", to = "read" } },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "table",
    scope = "connection",
    keys = {
      { on = "update_table_entries create_table_segment delete_table_segment", key = "segment" },
      { on = "table_entries_updated", key = { [[req.segment]], "req" } },
    },
    steps = {
      {
        from = { absent = true, unknown = true },
        on = "update_table_entries table_entries_updated",
        to = "used",
      },
    },
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "writer",
    type = "writer",
    scope = "connection",
    keys = {
      {
        on = "append_block append_block_end conditional_append conditional_block_end conditional_check_failed invalid_event_number",
        key = "writer_id",
      },
      {
        on = "setup_append append_setup data_appended",
        key = { [[f.coalesce(c.writer_id, c.connection_id)]], "c" },
      },
      { on = "begin_append_block end_append_block", key = "connection_id" },
      {
        on = "wrong_host segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported auth_token_check_failed error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
        key = { [[req.writer_id]], "req" },
      },
    },
    steps = {
      {
        from = { absent = true, denied = true, sealed = true, set_up = true, unknown = true },
        on = "setup_append",
        to = "asked",
      },
      { from = { asked = true }, on = "append_setup", to = "set_up" },
      {
        from = { asked = true },
        on = "wrong_host segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported auth_token_check_failed error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
        to = "denied",
        fixed = { [[(name ~= "segment_is_sealed")]], "name" },
      },
      {
        from = { unknown = true },
        on = "append_setup append_block append_block_end conditional_append conditional_block_end begin_append_block end_append_block data_appended",
        to = "set_up",
      },
      { from = { asked = true, set_up = true }, on = "invalid_event_number", to = "refused" },
    },
    each = {
      {
        from = { asked = true, set_up = true },
        on = "segment_is_sealed",
        to = "sealed",
        when = {
          [[((writer.segment ~= nil and c.segment ~= nil and writer.segment == c.segment) and ((writer.request ~= nil and c.request_id ~= nil and writer.request == c.request_id) or f.has(writer.requests, c.request_id)))]],
          "c writer",
        },
      },
    },
    final = { denied = true, refused = true },
    live = {},
    starts = { appends = 0, events = 0 },
  },
  {
    name = "refused",
    scope = "capture",
    keys = {
      {
        on = "segment_is_sealed",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "segment_already_exists",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "no_such_segment",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "no_such_transaction",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "segment_is_truncated",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "operation_unsupported",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "error_message",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "table_segment_not_empty",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "table_key_does_not_exist",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "table_key_bad_version",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "append_setup",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "segment_created",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "stream_segment_info",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
        },
      },
      {
        on = "segments_merged",
        key = {
          [[f.key(f.key(f.key(f.key(f.key(f.key(f.key(client, server), f.coalesce(req.asked, "")), req.segment), f.coalesce(req.start, 0)), f.coalesce(req.versions, 0)), f.coalesce(req.wanted_key, "")), f.choose((name == "segment_is_truncated"), flow, 0))]],
          "client server req name flow",
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
    name = "unset",
    scope = "capture",
    keys = {
      {
        on = "segment_attribute_updated",
        key = { [[f.key(f.key(client, server), req.segment)]], "client server req" },
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
    name = "no_changes",
    scope = "connection",
    keys = { { on = "table_entries_delta_read", key = "segment", guard = 2 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "same_changes",
    scope = "connection",
    keys = {
      {
        on = "table_entries_delta_read",
        key = {
          [[f.choose((c.last_position ~= nil and req.from_position ~= nil and c.last_position > req.from_position), c.segment, nil)]],
          "c req",
        },
        guard = 3,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "removed_again",
    scope = "connection",
    keys = {
      {
        on = "table_keys_removed",
        key = { [[f.key(c.segment, req.wanted_key)]], "c req" },
        guard = 4,
      },
      {
        on = "update_table_entries",
        key = { [[f.key(c.segment, f.first(c["entries.key.data raw[]"]))]], "c" },
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
    name = "polled",
    scope = "connection",
    keys = { { on = "stream_segment_info", key = "segment" } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "attribute_polled",
    scope = "connection",
    keys = { { on = "segment_attribute", key = { [[req.segment]], "req" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "key_polled",
    scope = "connection",
    keys = { { on = "table_read", key = { [[f.key(c.segment, req.wanted_key)]], "c req" }, guard = 5 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "tail_polled",
    scope = "connection",
    keys = { { on = "segment_read", key = "segment", guard = 6 } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "first_keys",
    scope = "connection",
    keys = {
      {
        on = "table_keys_read",
        key = {
          [[f.choose((((req.continued == 0) and ((c["#continuation_token"] or 0) > 0) and (c["#keys"] ~= nil and req.wanted ~= nil and c["#keys"] >= req.wanted)) or (req.continued ~= nil and req.continued > 0)), c.segment, nil)]],
          "c req",
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
    name = "first_entries",
    scope = "connection",
    keys = {
      {
        on = "table_entries_read",
        key = {
          [[f.choose((((req.continued == 0) and ((c["#continuation_token"] or 0) > 0) and (c["#entries"] ~= nil and req.wanted ~= nil and c["#entries"] >= req.wanted)) or (req.continued ~= nil and req.continued > 0)), c.segment, nil)]],
          "c req",
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
    name = "same_keys",
    scope = "connection",
    keys = {
      {
        on = "table_keys_read",
        key = {
          [[f.choose((((req.continued ~= nil and req.continued > 0) and ((c["#continuation_token"] or 0) > 0)) or (req.continued == 0)), c.segment, nil)]],
          "c req",
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
    name = "same_entries",
    scope = "connection",
    keys = {
      {
        on = "table_entries_read",
        key = {
          [[f.choose((((req.continued ~= nil and req.continued > 0) and ((c["#continuation_token"] or 0) > 0)) or (req.continued == 0)), c.segment, nil)]],
          "c req",
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
    name = "scanned_keys",
    scope = "capture",
    keys = {
      {
        on = "table_keys_read",
        key = {
          [[(((req.continued == 0) and (conn.internal_n == nil)) and f.key(f.key(f.key(client, server), c.segment), f.digest(req.begins)) or nil)]],
          "c req conn client server",
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
    name = "scanned_entries",
    scope = "capture",
    keys = {
      {
        on = "table_entries_read",
        key = {
          [[(((req.continued == 0) and (conn.internal_n == nil)) and f.key(f.key(f.key(client, server), c.segment), f.digest(req.begins)) or nil)]],
          "c req conn client server",
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
    name = "misdirected",
    scope = "capture",
    keys = {
      {
        on = "wrong_host",
        key = { [[f.key(f.key(client, server), c.segment)]], "c client server" },
        guard = 9,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "misplaced",
    scope = "capture",
    keys = {
      { on = "wrong_host", key = { [[f.key(f.key(client, server), c.segment)]], "c client server" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "entered_singly",
    scope = "connection",
    keys = {
      { on = "update_table_entries", key = "segment", guard = 10 },
      { on = "table_entries_updated", key = { [[req.segment]], "req" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "looked_up",
    scope = "connection",
    keys = { { on = "read_table", key = "segment", guard = 11 }, { on = "table_read", key = "segment" } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "removed_singly",
    scope = "connection",
    keys = {
      { on = "remove_table_keys", key = "segment", guard = 11 },
      { on = "table_keys_removed", key = "segment" },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "paged_keys",
    scope = "connection",
    keys = {
      { on = "read_table_keys", key = "segment", guard = 12 },
      { on = "table_keys_read", key = "segment" },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "paged_entries",
    scope = "connection",
    keys = {
      { on = "read_table_entries", key = "segment", guard = 13 },
      { on = "table_entries_read", key = "segment" },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "trimmed",
    scope = "capture",
    keys = {
      {
        on = "segment_truncated",
        key = { [[f.key(f.key(client, server), f.coalesce(c.segment, req.segment))]], "c client server req" },
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
          [[((why ~= nil and not LISTS[1][why]) and f.key(client, server) or nil)]],
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
    name = "reconnected_often",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[((why ~= nil and not LISTS[1][why]) and f.key(client, server) or nil)]],
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
    name = "dropped",
    scope = "capture",
    keys = {
      {
        on = "end:conn",
        key = {
          [[((why ~= nil and not LISTS[1][why]) and f.key(client, server) or nil)]],
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
    name = "left_open",
    scope = "capture",
    keys = { { on = "end:conn", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "left_idle",
    scope = "capture",
    keys = { { on = "end:conn", key = { [[f.key(client, server)]], "client server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "brief_writers",
    scope = "capture",
    keys = {
      {
        on = "end:writer",
        key = { [[f.key(f.key(client, server), writer.segment)]], "client server writer" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "transaction",
    scope = "capture",
    keys = {
      { on = "setup_append", key = { [[f.key(server, c.segment)]], "c server" }, guard = 14 },
      { on = "delete_segment", key = { [[f.key(server, c.segment)]], "c server" }, guard = 14 },
      {
        on = "end:writer",
        key = {
          [[((writer.appends ~= nil and writer.appends > 0) and f.key(server, writer.segment) or nil)]],
          "writer server",
        },
      },
      { on = "merge_segments", key = { [[f.key(server, c.source)]], "c server" } },
      {
        on = "merge_segments_batch",
        key = { [[f.key(server, c.sources)]], "c server" },
        items = "sources",
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "transient",
    scope = "capture",
    keys = {
      { on = "segment_created", key = { [[f.key(server, c.segment)]], "c server" }, guard = 15 },
      { on = "merge_segments", key = { [[f.key(server, c.source)]], "c server" } },
      {
        on = "merge_segments_batch",
        key = { [[f.key(server, c.sources)]], "c server" },
        items = "sources",
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "extent",
    scope = "capture",
    keys = {
      {
        on = "read_segment",
        key = {
          [[((f.coalesce(input.reads, 0) == 0) and f.key(f.key(client, server), c.segment) or nil)]],
          "c input client server",
        },
      },
      {
        on = "end:input",
        key = {
          [[((LISTS[2][why] and (input.reached ~= nil and input.began ~= nil and input.reached > input.began)) and f.key(f.key(client, server), input.segment) or nil)]],
          "why input client server",
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
    name = "stated",
    scope = "capture",
    keys = {
      { on = "conditional_append", key = { [[f.key(server, writer.segment)]], "server writer" } },
      {
        on = "truncate_segment segment_is_truncated",
        key = { [[f.key(server, c.segment)]], "c server" },
      },
      {
        on = "read_segment",
        key = {
          [[((f.coalesce(input.reads, 0) == 0) and f.key(server, c.segment) or nil)]],
          "c input server",
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
    name = "clipped",
    scope = "capture",
    keys = {
      {
        on = "controller_stream_cut",
        key = { [[f.key(c["stream_info.scope"], c["stream_info.stream"])]], "c" },
      },
      {
        on = "segment_is_truncated",
        key = { [[f.key(f.between(c.segment, "", "/"), f.between(c.segment, "/", "/"))]], "c" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "barred",
    scope = "capture",
    keys = {
      { on = "setup_append", key = { [[f.key(f.key(server, c.segment), c.writer_id)]], "c server" } },
      {
        on = "end:writer",
        key = {
          [[((writer.sealed_n ~= nil) and f.key(f.key(server, writer.segment), writer.id) or nil)]],
          "writer server",
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
    name = "pen",
    scope = "capture",
    keys = {
      {
        on = "end:writer",
        key = {
          [[((writer.sent_n ~= nil) and f.key(f.key(server, writer.segment), writer.id) or nil)]],
          "writer server",
        },
      },
      {
        on = "append_block_end",
        key = {
          [[((writer.sent_n == nil) and f.key(f.key(server, writer.segment), c.writer_id) or nil)]],
          "c writer server",
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
    name = "spread",
    scope = "capture",
    keys = {
      {
        on = "end:writer",
        key = {
          [[(((writer.ready_n ~= nil) and (not f.starts(writer.segment, "_system/")) and (not f.starts(f.between(writer.segment, "/", "/"), "_")) and (f.between(writer.segment, "/", ".#epoch.") ~= nil)) and f.key(f.key(f.key(client, server), f.between(writer.segment, "", "/")), f.between(writer.segment, "/", "/")) or nil)]],
          "writer client server",
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
    name = "unstored",
    scope = "capture",
    keys = {
      {
        on = "end:writer",
        key = {
          [[(((writer.sent ~= nil and writer.acked ~= nil and writer.sent > writer.acked) and (writer.oldest ~= nil) and LISTS[2][why]) and f.key(f.key(client, server), writer.segment) or nil)]],
          "writer why client server",
        },
      },
      {
        on = "append_block_end conditional_append conditional_block_end",
        key = {
          [[((writer.sent_n == nil) and f.key(f.key(client, server), writer.segment) or nil)]],
          "writer client server",
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
    name = "shelf",
    scope = "capture",
    keys = {
      {
        on = "end:writer",
        key = {
          [[(((writer.events ~= nil and writer.events > 0) and (writer.acked_n ~= nil) and (writer.transaction == nil) and (f.between(writer.segment, "/", ".#epoch.") ~= nil) and (f.between(writer.segment, "#transient.", "") == nil) and ((not f.starts(writer.segment, "_system/")) and (f.between(writer.segment, "/_", "/") == nil))) and f.key(server, writer.segment) or nil)]],
          "writer server",
        },
      },
      {
        on = "read_segment",
        key = {
          [[((f.coalesce(input.reads, 0) == 0) and f.key(server, c.segment) or nil)]],
          "c input server",
        },
        guard = 16,
      },
      { on = "end:input", key = { [[f.key(server, input.segment)]], "server input" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "store",
    scope = "capture",
    keys = {
      { on = "end:conn", key = { [[server]], "server" } },
      { on = "end:shelf", key = { [[shelf.host]], "shelf" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "readership",
    scope = "capture",
    keys = {
      {
        on = "read_segment",
        key = {
          [[((f.coalesce(input.reads, 0) == 0) and f.key(f.key(server, f.between(c.segment, "", "/")), f.between(c.segment, "/", "/")) or nil)]],
          "c input server",
        },
        guard = 16,
      },
      {
        on = "end:input",
        key = {
          [[f.key(f.key(server, f.between(input.segment, "", "/")), f.between(input.segment, "/", "/"))]],
          "server input",
        },
      },
      { on = "end:shelf", key = { [[f.key(f.key(shelf.host, shelf.scope), shelf.stream)]], "shelf" } },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "archive",
    scope = "capture",
    keys = {
      {
        on = "append_block_end",
        key = {
          [[(((writer.appends ~= nil and writer.appends <= K.FIRST_APPENDS) and (writer.transaction == nil) and (writer.appends ~= nil and writer.appends <= K.SAMPLE) and ((not f.starts(writer.segment, "_system/")) and (f.between(writer.segment, "/_", "/") == nil))) and f.key(f.key(server, f.between(writer.segment, "", "/")), f.between(writer.segment, "/", "/")) or nil)]],
          "writer server",
        },
        guard = 17,
      },
      {
        on = "segment_read",
        key = {
          [[((input.reads ~= nil and input.reads <= K.SAMPLE) and f.key(f.key(server, f.between(c.segment, "", "/")), f.between(c.segment, "/", "/")) or nil)]],
          "c input server",
        },
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
    name = "outdated",
    scope = "capture",
    keys = {
      {
        on = "conditional_check_failed",
        key = { [[f.key(f.key(client, server), writer.segment)]], "client server writer" },
      },
      {
        on = "end:writer",
        key = {
          [[(((writer.failed_n ~= nil) and (f.coalesce(writer.acked, K.NONE) == K.NONE)) and f.key(f.key(client, server), writer.segment) or nil)]],
          "writer client server",
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
    name = "breadth",
    scope = "capture",
    keys = {
      {
        on = "read_segment",
        key = {
          [[((f.coalesce(input.reads, 0) == 0) and f.key(f.key(f.key(client, server), f.between(c.segment, "", "/")), f.between(c.segment, "/", "/")) or nil)]],
          "c input client server",
        },
        guard = 4,
      },
      {
        on = "end:input",
        key = {
          [[((not f.starts(input.segment, "_system/")) and f.key(f.key(f.key(client, server), f.between(input.segment, "", "/")), f.between(input.segment, "/", "/")) or nil)]],
          "input client server",
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
    name = "fate",
    scope = "capture",
    keys = {
      {
        on = "no_such_segment segment_is_sealed seal_segment delete_segment",
        key = { [[f.key(f.between(c.segment, "", "/"), f.between(c.segment, "/", "/"))]], "c" },
      },
      { on = "controller_stream_info", key = { [[f.key(c.scope, c.stream)]], "c" } },
      {
        on = "controller_stream_config",
        key = { [[f.key(c["stream_info.scope"], c["stream_info.stream"])]], "c" },
      },
      {
        on = "controller_scale_request",
        key = { [[f.key(c["stream_info.scope"], c["stream_info.stream"])]], "c" },
      },
      {
        on = "controller_segment_ranges",
        key = { [[f.key(req.scope, req.named)]], "req" },
        guard = 19,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "shared_writer",
    scope = "capture",
    keys = {
      { on = "append_setup", key = { [[f.key(f.key(server, c.segment), c.writer_id)]], "c server" } },
      {
        on = "end:writer",
        key = { [[f.key(f.key(server, writer.segment), writer.id)]], "server writer" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "writer_in_turn",
    scope = "capture",
    keys = {
      { on = "append_setup", key = { [[f.key(f.key(server, c.segment), c.writer_id)]], "c server" } },
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
        on = "read_segment",
        key = {
          [[f.key(f.key(c.segment, c.offset), (c.request_id ~= nil and math.floor(c.request_id / K.FLOW_IDS) or nil))]],
          "c",
        },
        guard = 20,
      },
      {
        on = "segment_read",
        key = {
          [[f.key(f.key(c.segment, c.offset), (c.request_id ~= nil and math.floor(c.request_id / K.FLOW_IDS) or nil))]],
          "c",
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
    name = "truncated_back",
    scope = "capture",
    keys = { { on = "truncate_segment", key = { [[f.key(server, c.segment)]], "c server" } } },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "existing",
    scope = "capture",
    keys = {
      {
        on = "controller_create_scope_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), req.scope), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 21,
      },
      {
        on = "controller_create_stream_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), req.scope), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 21,
      },
      {
        on = "controller_create_key_value_table_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), req.scope), f.coalesce(req.named, ""))]],
          "client server req",
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
    name = "existing_still",
    scope = "capture",
    keys = {
      {
        on = "controller_create_scope_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), req.scope), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 21,
      },
      {
        on = "controller_create_stream_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), req.scope), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 21,
      },
      {
        on = "controller_create_key_value_table_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), req.scope), f.coalesce(req.named, ""))]],
          "client server req",
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
    name = "created_anew",
    scope = "capture",
    keys = {
      {
        on = "controller_create_stream_status",
        key = { [[f.key(f.key(f.key(client, server), req.method), req.scope)]], "client server req" },
        guard = 22,
      },
      {
        on = "controller_create_key_value_table_status",
        key = { [[f.key(f.key(f.key(client, server), req.method), req.scope)]], "client server req" },
        guard = 22,
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
      {
        on = "controller_reader_group_configuration controller_reader_group_info controller_key_value_table_config",
        key = "scope",
      },
      {
        on = "create_segment create_table_segment delete_segment delete_table_segment",
        key = { [[f.between(c.segment, "", "/")]], "c" },
        guard = 23,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "lease",
    scope = "capture",
    keys = {
      {
        on = "controller_create_txn_response controller_txn_request controller_ping_txn_request",
        key = {
          [[f.key(f.key(server, f.coalesce(c["txn_id.high_bits"], 0)), f.coalesce(c["txn_id.low_bits"], 0))]],
          "c server",
        },
      },
      {
        on = "controller_txn_status controller_ping_txn_status controller_txn_state",
        key = { [[f.key(f.key(server, req.high), req.low)]], "server req" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "pinged",
    scope = "capture",
    keys = {
      {
        on = "controller_ping_txn_request",
        key = {
          [[f.key(f.key(server, f.coalesce(c["txn_id.high_bits"], 0)), f.coalesce(c["txn_id.low_bits"], 0))]],
          "c server",
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
    name = "author",
    scope = "capture",
    keys = {
      { on = "controller_create_txn_request controller_txn_request", key = { [[client]], "client" } },
      {
        on = "append_block_end",
        key = { [[f.choose((writer.transaction ~= nil), client, nil)]], "writer client" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "noted_back",
    scope = "capture",
    keys = {
      {
        on = "controller_timestamp_response",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.scope), req.stream), req.noter)]],
          "client server req",
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
    name = "cut",
    scope = "capture",
    keys = {
      {
        on = "controller_stream_cut",
        key = {
          [[f.key(f.key(f.key(client, server), c["stream_info.scope"]), c["stream_info.stream"])]],
          "c client server",
        },
        guard = 25,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "cell",
    scope = "capture",
    keys = {
      {
        on = "table_read update_table_entries",
        key = { [[f.key(f.key(server, c.segment), f.first(c["entries.key.data raw[]"]))]], "c server" },
        guard = 26,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "view",
    scope = "connection",
    keys = {
      {
        on = "table_read update_table_entries",
        key = { [[f.key(c.segment, f.first(c["entries.key.data raw[]"]))]], "c" },
        guard = 26,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "sheet",
    scope = "capture",
    keys = {
      {
        on = "create_table_segment table_segment_info",
        key = { [[f.key(server, c.segment)]], "c server" },
        guard = 27,
      },
      {
        on = "update_table_entries remove_table_keys read_table",
        key = { [[f.key(server, c.segment)]], "c server" },
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
    name = "progress",
    scope = "capture",
    keys = {
      {
        on = "conditional_append append_block_end",
        key = {
          [[((writer.group ~= nil) and f.key(f.key(client, server), writer.segment) or nil)]],
          "writer client server",
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
    name = "holding",
    scope = "capture",
    keys = {
      {
        on = "controller_reader_group_configuration",
        key = { [[f.key(c.scope, c.reader_group_name)]], "c" },
      },
      {
        on = "conditional_append conditional_check_failed end:writer",
        key = {
          [[(((writer.group ~= nil) and (not f.starts(writer.segment, "_system/"))) and f.key(f.between(writer.segment, "", "/"), writer.group) or nil)]],
          "writer",
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
    name = "entrance",
    scope = "capture",
    keys = {
      { on = "update_table_entries", key = { [[client]], "client" }, guard = 28 },
      { on = "read_segment", key = { [[client]], "client" }, guard = 29 },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "course",
    scope = "capture",
    keys = {
      {
        on = "read_segment",
        key = { [[((entrance.latest_n ~= nil) and f.key(client, c.segment) or nil)]], "c entrance client" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "roster",
    scope = "capture",
    keys = {
      {
        on = "conditional_append conditional_check_failed",
        key = {
          [[(((writer.group ~= nil) and (not f.starts(writer.segment, "_system/"))) and f.key(f.key(client, server), writer.segment) or nil)]],
          "writer client server",
        },
      },
      {
        on = "end:writer",
        key = {
          [[(((writer.group ~= nil) and (not f.starts(writer.segment, "_system/")) and LISTS[2][why]) and f.key(f.key(client, server), writer.segment) or nil)]],
          "writer why client server",
        },
      },
      {
        on = "update_table_entries",
        key = { [[f.key(f.key(client, server), c.segment)]], "c client server" },
        guard = 30,
      },
      {
        on = "table_entries_updated",
        key = {
          [[(((not f.starts(req.segment, "_system/")) and (f.between(req.segment, "_kvtable/", "") ~= nil)) and f.key(f.key(client, server), req.segment) or nil)]],
          "req client server",
        },
      },
      {
        on = "end:table",
        key = {
          [[(((not f.starts(table.id, "_system/")) and (f.between(table.id, "_kvtable/", "") ~= nil) and LISTS[2][why]) and f.key(f.key(client, server), table.id) or nil)]],
          "table why client server",
        },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = { readers = 0 },
  },
  {
    name = "spree",
    scope = "capture",
    keys = {
      {
        on = "append_block_end",
        key = { [[((writer.transaction ~= nil) and f.key(client, server) or nil)]], "writer client server" },
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
    scope = "capture",
    keys = {
      {
        on = "controller_scopes_request",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), c["carrier.method"]), ""), "")]],
          "c client server",
        },
      },
      {
        on = "controller_streams_in_scope_request controller_kv_tables_in_scope_request",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), c["carrier.method"]), c.scope), "")]],
          "c client server",
        },
      },
      {
        on = "controller_streams_in_scope_with_tag_request",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), c["carrier.method"]), c.scope), f.coalesce(c.tag, ""))]],
          "c client server",
        },
      },
      {
        on = "controller_scopes_response controller_streams_in_scope_response controller_kv_tables_in_scope_response",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.tag, ""))]],
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
    name = "retainer",
    scope = "capture",
    keys = {
      {
        on = "controller_reader_group_configuration controller_subscriber_stream_cut",
        key = { [[f.key(server, c.reader_group_id)]], "c server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "subscribed_back",
    scope = "capture",
    keys = {
      {
        on = "controller_subscriber_stream_cut",
        key = {
          [[f.key(f.key(f.key(f.key(server, c["stream_cut.stream_info.scope"]), c["stream_cut.stream_info.stream"]), c.subscriber), f.coalesce(f.first(c["stream_cut.cut.key[]"]), 0))]],
          "c server",
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
    name = "cut_back",
    scope = "capture",
    keys = {
      {
        on = "controller_stream_cut",
        key = {
          [[f.key(f.key(f.key(server, c["stream_info.scope"]), c["stream_info.stream"]), f.coalesce(f.first(c["cut.key[]"]), 0))]],
          "c server",
        },
        guard = 25,
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
        on = "controller_stream_config",
        key = { [[f.key(f.key(server, c["stream_info.scope"]), c["stream_info.stream"])]], "c server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "restated",
    scope = "capture",
    keys = {
      {
        on = "controller_stream_config",
        key = { [[f.key(f.key(server, c["stream_info.scope"]), c["stream_info.stream"])]], "c server" },
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
    name = "lapsed_txn",
    scope = "capture",
    keys = {
      {
        on = "controller_txn_status",
        key = {
          [[(((c.status ~= nil and c.status > 0) or ((c.status == 0) and (req.method == "commitTransaction"))) and f.key(f.key(f.key(f.key(client, server), f.coalesce(req.method, "")), req.scope), req.stream) or nil)]],
          "c req client server",
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
    name = "unchanged",
    scope = "capture",
    keys = {
      {
        on = "controller_update_stream_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_delete_stream_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_delete_scope_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_delete_kv_table_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_delete_reader_group_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_update_reader_group_response",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_update_subscriber_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_create_reader_group_response",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 32,
      },
      {
        on = "controller_scale_response",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
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
    name = "not_created",
    scope = "capture",
    keys = {
      {
        on = "controller_create_scope_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 33,
      },
      {
        on = "controller_create_stream_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 33,
      },
      {
        on = "controller_create_key_value_table_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 33,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "without_segments",
    scope = "capture",
    keys = {
      {
        on = "controller_segment_ranges",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 19,
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "tokens",
    scope = "capture",
    keys = {
      {
        on = "controller_delegation_token",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
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
    name = "grouped",
    scope = "capture",
    keys = {
      {
        on = "controller_create_reader_group_response",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
          "client server req",
        },
        guard = 22,
      },
      {
        on = "controller_delete_reader_group_status",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), req.method), f.coalesce(req.scope, "")), f.coalesce(req.named, ""))]],
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
    name = "scaling",
    scope = "capture",
    keys = {
      {
        on = "controller_scale_request",
        key = { [[f.key(f.key(server, c["stream_info.scope"]), c["stream_info.stream"])]], "c server" },
      },
    },
    steps = {},
    each = {},
    final = {},
    live = {},
    starts = {},
  },
  {
    name = "times_noted",
    scope = "capture",
    keys = {
      {
        on = "controller_timestamp_from_writer",
        key = {
          [[f.key(f.key(f.key(f.key(client, server), c.writer), c["position.stream_info.scope"]), c["position.stream_info.stream"])]],
          "c client server",
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
    name = "timed",
    scope = "capture",
    keys = {
      {
        on = "controller_timestamp_from_writer",
        key = {
          [[f.key(f.key(server, c["position.stream_info.scope"]), c["position.stream_info.stream"])]],
          "c server",
        },
      },
      {
        on = "controller_remove_writer_request",
        key = { [[f.key(f.key(server, c["stream.scope"]), c["stream.stream"])]], "c server" },
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
        on = "delete_segment",
        key = {
          [[f.choose(((transaction.used_n ~= nil) and (transaction.merged_n == nil)), (0 * t), nil)]],
          "transaction t",
        },
        guard = 14,
      },
      {
        on = "end:transaction",
        key = {
          [[f.choose(((transaction.setup_n ~= nil) and (transaction.used_n ~= nil) and (transaction.merged_n == nil) and (transaction.deleted_n == nil) and (transaction.used_t ~= nil and (t - transaction.used_t) > K.FORGOTTEN)), (0 * t), nil)]],
          "transaction t",
        },
      },
      {
        on = "end:roster",
        key = {
          [[f.choose(((roster.readers ~= nil and roster.readers > 0) and (roster.closed_t ~= nil)), (0 * t), nil)]],
          "roster t",
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
    on = "client:hello",
    does = { [[C.high = c.high_version; C.low = c.low_version; C.hello_n = n]], "c C n" },
  },
  {
    on = "server:hello",
    does = { [[S.high = c.high_version; S.low = c.low_version; S.hello_n = n]], "c S n" },
  },
  {
    on = "client:append_block",
    does = {
      [[C.block_n = n; C.block_writer = c.writer_id; C.block = f.choose((c["#data"] ~= nil and c["#data"] <= K.KEPT), c["data raw"], nil)]],
      "c C n",
    },
  },
  {
    on = "client:append_block_end",
    guard = 35,
    when = { [[(writer.sent ~= nil and writer.acked ~= nil and writer.sent <= writer.acked)]], "writer" },
    does = {
      [[writer.oldest = f.coalesce(C.block, c["data raw"]); writer.oldest_number = c.last_event_number]],
      "c writer C",
    },
  },
  {
    on = "conditional_append",
    guard = 36,
    when = { [[(writer.sent ~= nil and writer.acked ~= nil and writer.sent <= writer.acked)]], "writer" },
    does = {
      [[writer.oldest = f.coalesce(c["event raw"], c["data raw"]); writer.oldest_number = c.event_number]],
      "c writer",
    },
  },
  {
    on = "conditional_block_end",
    guard = 37,
    when = { [[(writer.sent ~= nil and writer.acked ~= nil and writer.sent <= writer.acked)]], "writer" },
    does = { [[writer.oldest = c["data raw"]; writer.oldest_number = c.event_number]], "c writer" },
  },
  {
    on = "append_block_end",
    guard = 38,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(C.block, c["data raw"]))))]],
      "c writer unstored t C",
    },
    does = { [[unstored.again_n = n; unstored.again = unstored.digest]], "unstored n" },
  },
  {
    on = "conditional_append",
    guard = 39,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(c["event raw"], c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(c["event raw"], c["data raw"]))))]],
      "c writer unstored t",
    },
    does = { [[unstored.again_n = n; unstored.again = unstored.digest]], "unstored n" },
  },
  {
    on = "conditional_block_end",
    guard = 40,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(c["data raw"]) ~= nil and unstored.digest == f.digest(c["data raw"])))]],
      "c writer unstored t",
    },
    does = { [[unstored.again_n = n; unstored.again = unstored.digest]], "unstored n" },
  },
  {
    on = "append_block_end",
    guard = 17,
    when = { [[(writer.appends ~= nil and writer.appends <= K.SAMPLE)]], "writer" },
    does = {
      [[writer.same = ((writer.pair ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and writer.pair == f.digest(f.coalesce(C.block, c["data raw"]))) and 1 or 0); writer.pairs = f.choose((writer.same == 1), f.choose((writer.run == 1), (f.coalesce(writer.pairs, 0) + 1), 0), f.choose((writer.run == 2), f.coalesce(writer.pairs, 0), 0)); writer.run = f.choose((writer.same == 1), (f.coalesce(writer.run, 0) + 1), 1); writer.pair = f.digest(f.coalesce(C.block, c["data raw"])); writer.pair_n = n]],
      "c writer C n",
    },
  },
  { on = "client:append_block_end", does = { [[C.block_n = nil; C.block = nil]], "C" } },
  {
    on = "client:begin_append_block",
    does = {
      [=[C.draft_n = n; C.draft_writer = c.connection_id; C.announced = c.length; C.block_bytes = c["#data"]; C.block_bare = c["#data"]; C.block_all = c["#data"]]=],
      "c C n",
    },
  },
  {
    on = "client:event client:partial_message",
    when = { [[(C.draft_n ~= nil)]], "C" },
    does = {
      [[C.block_bytes = (C.block_bytes ~= nil and size ~= nil and (C.block_bytes + size) or nil); C.block_bare = (C.block_bare ~= nil and c["#data"] ~= nil and (C.block_bare + c["#data"]) or nil); C.block_all = (C.block_all ~= nil and size ~= nil and (C.block_all + size) or nil)]],
      "c C size",
    },
  },
  {
    on = "client:keep_alive",
    when = { [[(C.draft_n ~= nil)]], "C" },
    does = {
      [[C.block_all = (C.block_all ~= nil and size ~= nil and (C.block_all + size) or nil)]],
      "C size",
    },
  },
  { on = "client:end_append_block", does = { [[C.draft_n = nil]], "C" } },
  {
    on = "partial_message",
    does = {
      [[me.partial_n = f.choose((c.position == 2), nil, f.choose((c.position == 0), n, me.partial_n))]],
      "c me n",
    },
  },
  { on = "server:tcp.close", does = { [[S.closed_t = t]], "S t" } },
  {
    on = "setup_append read_segment get_stream_segment_info create_segment create_transient_segment create_table_segment seal_segment delete_segment delete_table_segment update_segment_policy get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table read_table_keys read_table_entries read_table_entries_delta",
    does = {
      [[me.token_n = f.choose(((f.len(c.delegation_token) or 0) > 0), n, me.token_n); me.bare_n = f.choose((f.len(c.delegation_token) == 0), n, me.bare_n)]],
      "c me n",
    },
  },
  {
    on = "client:keep_alive",
    does = { [[conn.alive_n = n; conn.alives = (f.coalesce(conn.alives, 0) + 1)]], "conn n" },
  },
  {
    on = "read_segment",
    does = {
      [[input.reads = (input.reads ~= nil and (input.reads + 1) or nil); input.segment = c.segment]],
      "c input",
    },
  },
  {
    on = "segment_read",
    does = {
      [[input.bytes = (input.bytes ~= nil and c["#data"] ~= nil and (input.bytes + c["#data"]) or nil)]],
      "c input",
    },
  },
  {
    on = "segment_read",
    guard = 41,
    does = {
      [[input.ended_at_n = n; input["end"] = (c.offset ~= nil and c["#data"] ~= nil and (c.offset + c["#data"]) or nil)]],
      "c input n",
    },
  },
  {
    on = "segment_read",
    does = {
      [[reader.reached = (c.offset ~= nil and c["#data"] ~= nil and (c.offset + c["#data"]) or nil); reader.reached_n = n]],
      "c reader n",
    },
  },
  {
    on = "create_table_segment delete_table_segment",
    does = { [[table.version = nil]], "table" },
  },
  {
    on = "table_entries_updated",
    does = {
      [[table.version = f.max(f.coalesce(table.version, f.greatest(c["updated_versions[]"])), f.greatest(c["updated_versions[]"])); table.version_n = n]],
      "c table n",
    },
  },
  {
    on = "setup_append",
    does = {
      [[writer.again = (((writer.state == "set_up") and (writer.segment ~= nil and c.segment ~= nil and writer.segment == c.segment) and (writer.acked_n ~= nil)) and 1 or 0)]],
      "c writer",
    },
  },
  {
    on = "setup_append",
    does = {
      [[writer.segment = c.segment; writer.request = c.request_id; writer.setup_n = n; writer.sent = nil; writer.sent_n = nil; writer.sealed_n = nil; writer.sealed_t = nil; writer.seals = 0; writer.acked = nil; writer.acked_n = nil]],
      "c writer n",
    },
  },
  {
    on = "append_setup",
    does = {
      [[writer.acked = c.last_event_number; writer.sent = c.last_event_number; writer.ready_n = n]],
      "c writer n",
    },
  },
  {
    on = "end_append_block",
    does = {
      [[writer.offset = c.connection_offset; writer.offset_n = n; writer.reach = f.max(f.coalesce(writer.reach, 0), (c.connection_offset ~= nil and c.block_length ~= nil and (c.connection_offset + c.block_length) or nil))]],
      "c writer n",
    },
  },
  {
    on = "append_setup",
    guard = 42,
    does = { [[writer.reach = c.connection_offset_ack_level]], "c writer" },
  },
  {
    on = "end_append_block",
    does = {
      [[writer.appends = (writer.appends ~= nil and (writer.appends + 1) or nil); f.add(f.outstanding_ids(conn, writer, "waiting"), c.connection_offset, t, n, mark)]],
      "c writer conn t n mark",
    },
  },
  {
    on = "data_appended",
    does = {
      [[took = took or f.take_upto(writer.waiting, c.connection_offset_ack_level)]],
      "c took writer",
    },
  },
  {
    on = "append_block_end",
    does = { [[writer.sent = c.last_event_number; writer.sent_n = n]], "c writer n" },
  },
  {
    on = "append_block_end",
    when = {
      [[(c.request_id ~= nil and writer.request ~= nil and c.request_id ~= writer.request)]],
      "c writer",
    },
    does = { [[writer.requests = f.put(writer.requests, c.request_id)]], "c writer" },
  },
  {
    on = "conditional_append conditional_block_end",
    does = { [[writer.sent = c.event_number; writer.sent_n = n]], "c writer n" },
  },
  {
    on = "append_block_end",
    does = {
      [[writer.appends = (writer.appends ~= nil and (writer.appends + 1) or nil); writer.events = (writer.events ~= nil and c.num_events ~= nil and (writer.events + c.num_events) or nil); f.add(f.outstanding_ids(conn, writer, "waiting"), c.last_event_number, t, n, mark)]],
      "c writer conn t n mark",
    },
  },
  {
    on = "conditional_append conditional_block_end",
    does = {
      [[writer.appends = (writer.appends ~= nil and (writer.appends + 1) or nil); writer.events = (writer.events ~= nil and (writer.events + 1) or nil); f.add(f.outstanding_ids(conn, writer, "waiting"), c.event_number, t, n, mark)]],
      "c writer conn t n mark",
    },
  },
  { on = "setup_append", does = { [[f.forget(writer.waiting)]], "writer" } },
  {
    on = "data_appended",
    does = { [[took = took or f.take_upto(writer.waiting, c.event_number)]], "c took writer" },
  },
  {
    on = "conditional_check_failed",
    does = { [[took = took or f.take(writer.waiting, c.event_number)]], "c took writer" },
  },
  {
    on = "data_appended",
    does = { [[writer.acked = c.event_number; writer.acked_n = n]], "c writer n" },
  },
  {
    on = "segment_is_sealed",
    each = "writer",
    when = {
      [[((writer.segment ~= nil and c.segment ~= nil and writer.segment == c.segment) and ((writer.request ~= nil and c.request_id ~= nil and writer.request == c.request_id) or f.has(writer.requests, c.request_id)))]],
      "c writer",
    },
    does = {
      [[writer.sealed_n = n; writer.sealed_t = f.coalesce(writer.sealed_t, t); writer.seals = (f.coalesce(writer.seals, 0) + 1); writer.failing = c.offset]],
      "c writer n t",
    },
  },
  {
    on = "segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    does = {
      [[refused.chained = ((refused.times ~= nil and refused.times > 0) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and refused.same == name))); refused.slower = f.choose(refused.chained, (refused.slower ~= nil and (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0) ~= nil and (refused.slower + (((refused.latest_t ~= nil and (t - refused.latest_t) > 0) and (refused.latest_t ~= nil and refused.gap ~= nil and ((t - refused.latest_t) * 10) >= (13 * refused.gap))) and 1 or 0)) or nil), 0); refused.gap = f.choose(refused.chained, (refused.latest_t ~= nil and (t - refused.latest_t) or nil), nil); refused.first_gap = f.choose(refused.chained, f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)), nil); refused.second_n = f.choose(refused.chained, f.coalesce(refused.second_n, req.n), nil); refused.first_n = f.choose(refused.chained, refused.first_n, req.n); refused.times = f.choose(refused.chained, (refused.times ~= nil and (refused.times + 1) or nil), 1); refused.latest_t = t; refused.same = name]],
      "refused t name req",
    },
  },
  {
    on = "append_setup segment_created stream_segment_info segments_merged",
    does = { [[refused.times = 0]], "refused" },
  },
  {
    on = "conditional_append conditional_block_end",
    does = { [[writer.expected = c.expected_offset]], "c writer" },
  },
  {
    on = "conditional_check_failed",
    when = {
      [[(c.event_number ~= nil and writer.sent ~= nil and c.event_number == writer.sent)]],
      "c writer",
    },
    does = {
      [[writer.stale_chained = ((writer.stale_times ~= nil and writer.stale_times > 0) and ((writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) <= K.REFUSED_PAUSE) and (writer.stale_same ~= nil and writer.expected ~= nil and writer.stale_same == writer.expected))); writer.stale_slower = f.choose(writer.stale_chained, (writer.stale_slower ~= nil and (((writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) > 0) and (writer.stale_latest_t ~= nil and writer.stale_gap ~= nil and ((t - writer.stale_latest_t) * 10) >= (13 * writer.stale_gap))) and 1 or 0) ~= nil and (writer.stale_slower + (((writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) > 0) and (writer.stale_latest_t ~= nil and writer.stale_gap ~= nil and ((t - writer.stale_latest_t) * 10) >= (13 * writer.stale_gap))) and 1 or 0)) or nil), 0); writer.stale_gap = f.choose(writer.stale_chained, (writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) or nil), nil); writer.stale_first_gap = f.choose(writer.stale_chained, f.coalesce(writer.stale_first_gap, (writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) or nil)), nil); writer.stale_second_n = f.choose(writer.stale_chained, f.coalesce(writer.stale_second_n, writer.sent_n), nil); writer.stale_first_n = f.choose(writer.stale_chained, writer.stale_first_n, writer.sent_n); writer.stale_times = f.choose(writer.stale_chained, (writer.stale_times ~= nil and (writer.stale_times + 1) or nil), 1); writer.stale_latest_t = t; writer.stale_same = writer.expected]],
      "writer t",
    },
  },
  {
    on = "client:keep_alive",
    does = {
      [[C.kept_alive_chained = ((C.kept_alive_times ~= nil and C.kept_alive_times > 0) and (C.kept_alive_latest_t ~= nil and (t - C.kept_alive_latest_t) <= K.POLL_PAUSE)); C.kept_alive_second_n = f.choose(C.kept_alive_chained, f.coalesce(C.kept_alive_second_n, n), nil); C.kept_alive_first_n = f.choose(C.kept_alive_chained, C.kept_alive_first_n, n); C.kept_alive_times = f.choose(C.kept_alive_chained, (C.kept_alive_times ~= nil and (C.kept_alive_times + 1) or nil), 1); C.kept_alive_latest_t = t]],
      "C t n",
    },
  },
  {
    on = "client:read_segment client:append_block_end client:conditional_append client:conditional_block_end",
    does = { [[C.kept_alive_times = 0]], "C" },
  },
  {
    on = "segment_attribute_updated",
    guard = 43,
    does = {
      [[unset.chained = ((unset.times ~= nil and unset.times > 0) and (unset.latest_t ~= nil and (t - unset.latest_t) <= K.REFUSED_PAUSE)); unset.slower = f.choose(unset.chained, (unset.slower ~= nil and (((unset.latest_t ~= nil and (t - unset.latest_t) > 0) and (unset.latest_t ~= nil and unset.gap ~= nil and ((t - unset.latest_t) * 10) >= (13 * unset.gap))) and 1 or 0) ~= nil and (unset.slower + (((unset.latest_t ~= nil and (t - unset.latest_t) > 0) and (unset.latest_t ~= nil and unset.gap ~= nil and ((t - unset.latest_t) * 10) >= (13 * unset.gap))) and 1 or 0)) or nil), 0); unset.gap = f.choose(unset.chained, (unset.latest_t ~= nil and (t - unset.latest_t) or nil), nil); unset.first_gap = f.choose(unset.chained, f.coalesce(unset.first_gap, (unset.latest_t ~= nil and (t - unset.latest_t) or nil)), nil); unset.second_n = f.choose(unset.chained, f.coalesce(unset.second_n, req.n), nil); unset.first_n = f.choose(unset.chained, unset.first_n, req.n); unset.times = f.choose(unset.chained, (unset.times ~= nil and (unset.times + 1) or nil), 1); unset.latest_t = t]],
      "unset t req",
    },
  },
  { on = "segment_attribute_updated", guard = 44, does = { [[unset.times = 0]], "unset" } },
  {
    on = "table_entries_delta_read",
    guard = 2,
    does = {
      [[no_changes.chained = ((no_changes.times ~= nil and no_changes.times > 0) and ((no_changes.latest_t ~= nil and (t - no_changes.latest_t) <= K.POLL_PAUSE) and (no_changes.same ~= nil and c.last_position ~= nil and no_changes.same == c.last_position))); no_changes.second_n = f.choose(no_changes.chained, f.coalesce(no_changes.second_n, req.n), nil); no_changes.first_n = f.choose(no_changes.chained, no_changes.first_n, req.n); no_changes.times = f.choose(no_changes.chained, (no_changes.times ~= nil and (no_changes.times + 1) or nil), 1); no_changes.latest_t = t; no_changes.same = c.last_position]],
      "c no_changes t req",
    },
  },
  {
    on = "table_entries_delta_read",
    guard = 3,
    when = {
      [[(c.last_position ~= nil and req.from_position ~= nil and c.last_position > req.from_position)]],
      "c req",
    },
    does = {
      [[same_changes.chained = ((same_changes.times ~= nil and same_changes.times > 0) and ((same_changes.latest_t ~= nil and (t - same_changes.latest_t) <= K.REFUSED_PAUSE) and (same_changes.same ~= nil and req.from_position ~= nil and same_changes.same == req.from_position))); same_changes.second_n = f.choose(same_changes.chained, f.coalesce(same_changes.second_n, req.n), nil); same_changes.first_n = f.choose(same_changes.chained, same_changes.first_n, req.n); same_changes.times = f.choose(same_changes.chained, (same_changes.times ~= nil and (same_changes.times + 1) or nil), 1); same_changes.latest_t = t; same_changes.same = req.from_position]],
      "same_changes t req",
    },
  },
  {
    on = "table_keys_removed",
    guard = 4,
    does = {
      [[removed_again.chained = ((removed_again.times ~= nil and removed_again.times > 0) and (removed_again.latest_t ~= nil and (t - removed_again.latest_t) <= K.REFUSED_PAUSE)); removed_again.second_n = f.choose(removed_again.chained, f.coalesce(removed_again.second_n, req.n), nil); removed_again.first_n = f.choose(removed_again.chained, removed_again.first_n, req.n); removed_again.times = f.choose(removed_again.chained, (removed_again.times ~= nil and (removed_again.times + 1) or nil), 1); removed_again.latest_t = t]],
      "removed_again t req",
    },
  },
  {
    on = "update_table_entries",
    guard = 4,
    does = { [[removed_again.times = 0]], "removed_again" },
  },
  {
    on = "stream_segment_info",
    does = {
      [[polled.chained = ((polled.times ~= nil and polled.times > 0) and ((polled.latest_t ~= nil and (t - polled.latest_t) <= K.POLL_PAUSE) and (polled.same ~= nil and c.write_offset ~= nil and polled.same == c.write_offset))); polled.second_n = f.choose(polled.chained, f.coalesce(polled.second_n, req.n), nil); polled.first_n = f.choose(polled.chained, polled.first_n, req.n); polled.times = f.choose(polled.chained, (polled.times ~= nil and (polled.times + 1) or nil), 1); polled.latest_t = t; polled.same = c.write_offset]],
      "c polled t req",
    },
  },
  {
    on = "segment_attribute",
    does = {
      [[attribute_polled.chained = ((attribute_polled.times ~= nil and attribute_polled.times > 0) and ((attribute_polled.latest_t ~= nil and (t - attribute_polled.latest_t) <= K.POLL_PAUSE) and (attribute_polled.same ~= nil and c.value ~= nil and attribute_polled.same == c.value))); attribute_polled.second_n = f.choose(attribute_polled.chained, f.coalesce(attribute_polled.second_n, req.n), nil); attribute_polled.first_n = f.choose(attribute_polled.chained, attribute_polled.first_n, req.n); attribute_polled.times = f.choose(attribute_polled.chained, (attribute_polled.times ~= nil and (attribute_polled.times + 1) or nil), 1); attribute_polled.latest_t = t; attribute_polled.same = c.value]],
      "c attribute_polled t req",
    },
  },
  {
    on = "table_read",
    guard = 5,
    does = {
      [[key_polled.chained = ((key_polled.times ~= nil and key_polled.times > 0) and ((key_polled.latest_t ~= nil and (t - key_polled.latest_t) <= K.POLL_PAUSE) and (key_polled.same ~= nil and f.first(c["entries.key.key_version[]"]) ~= nil and key_polled.same == f.first(c["entries.key.key_version[]"])))); key_polled.second_n = f.choose(key_polled.chained, f.coalesce(key_polled.second_n, req.n), nil); key_polled.first_n = f.choose(key_polled.chained, key_polled.first_n, req.n); key_polled.times = f.choose(key_polled.chained, (key_polled.times ~= nil and (key_polled.times + 1) or nil), 1); key_polled.latest_t = t; key_polled.same = f.first(c["entries.key.key_version[]"])]],
      "c key_polled t req",
    },
  },
  {
    on = "segment_read",
    guard = 6,
    does = {
      [[tail_polled.chained = ((tail_polled.times ~= nil and tail_polled.times > 0) and ((tail_polled.latest_t ~= nil and (t - tail_polled.latest_t) <= K.POLL_PAUSE) and (tail_polled.same ~= nil and c.offset ~= nil and tail_polled.same == c.offset))); tail_polled.second_n = f.choose(tail_polled.chained, f.coalesce(tail_polled.second_n, req.n), nil); tail_polled.first_n = f.choose(tail_polled.chained, tail_polled.first_n, req.n); tail_polled.times = f.choose(tail_polled.chained, (tail_polled.times ~= nil and (tail_polled.times + 1) or nil), 1); tail_polled.latest_t = t; tail_polled.same = c.offset]],
      "c tail_polled t req",
    },
  },
  {
    on = "table_keys_read",
    guard = 45,
    when = {
      [[((req.continued == 0) and (c["#keys"] ~= nil and req.wanted ~= nil and c["#keys"] >= req.wanted))]],
      "c req",
    },
    does = {
      [[first_keys.chained = ((first_keys.times ~= nil and first_keys.times > 0) and ((first_keys.latest_t ~= nil and (t - first_keys.latest_t) <= K.REFUSED_PAUSE) and (first_keys.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and first_keys.same == f.digest(c["continuation_token raw"])))); first_keys.slower = f.choose(first_keys.chained, (first_keys.slower ~= nil and (((first_keys.latest_t ~= nil and (t - first_keys.latest_t) > 0) and (first_keys.latest_t ~= nil and first_keys.gap ~= nil and ((t - first_keys.latest_t) * 10) >= (13 * first_keys.gap))) and 1 or 0) ~= nil and (first_keys.slower + (((first_keys.latest_t ~= nil and (t - first_keys.latest_t) > 0) and (first_keys.latest_t ~= nil and first_keys.gap ~= nil and ((t - first_keys.latest_t) * 10) >= (13 * first_keys.gap))) and 1 or 0)) or nil), 0); first_keys.gap = f.choose(first_keys.chained, (first_keys.latest_t ~= nil and (t - first_keys.latest_t) or nil), nil); first_keys.first_gap = f.choose(first_keys.chained, f.coalesce(first_keys.first_gap, (first_keys.latest_t ~= nil and (t - first_keys.latest_t) or nil)), nil); first_keys.second_n = f.choose(first_keys.chained, f.coalesce(first_keys.second_n, req.n), nil); first_keys.first_n = f.choose(first_keys.chained, first_keys.first_n, req.n); first_keys.times = f.choose(first_keys.chained, (first_keys.times ~= nil and (first_keys.times + 1) or nil), 1); first_keys.latest_t = t; first_keys.same = f.digest(c["continuation_token raw"])]],
      "c first_keys t req",
    },
  },
  {
    on = "table_keys_read",
    when = { [[(req.continued ~= nil and req.continued > 0)]], "req" },
    does = { [[first_keys.times = 0]], "first_keys" },
  },
  {
    on = "table_entries_read",
    guard = 45,
    when = {
      [[((req.continued == 0) and (c["#entries"] ~= nil and req.wanted ~= nil and c["#entries"] >= req.wanted))]],
      "c req",
    },
    does = {
      [[first_entries.chained = ((first_entries.times ~= nil and first_entries.times > 0) and ((first_entries.latest_t ~= nil and (t - first_entries.latest_t) <= K.REFUSED_PAUSE) and (first_entries.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and first_entries.same == f.digest(c["continuation_token raw"])))); first_entries.slower = f.choose(first_entries.chained, (first_entries.slower ~= nil and (((first_entries.latest_t ~= nil and (t - first_entries.latest_t) > 0) and (first_entries.latest_t ~= nil and first_entries.gap ~= nil and ((t - first_entries.latest_t) * 10) >= (13 * first_entries.gap))) and 1 or 0) ~= nil and (first_entries.slower + (((first_entries.latest_t ~= nil and (t - first_entries.latest_t) > 0) and (first_entries.latest_t ~= nil and first_entries.gap ~= nil and ((t - first_entries.latest_t) * 10) >= (13 * first_entries.gap))) and 1 or 0)) or nil), 0); first_entries.gap = f.choose(first_entries.chained, (first_entries.latest_t ~= nil and (t - first_entries.latest_t) or nil), nil); first_entries.first_gap = f.choose(first_entries.chained, f.coalesce(first_entries.first_gap, (first_entries.latest_t ~= nil and (t - first_entries.latest_t) or nil)), nil); first_entries.second_n = f.choose(first_entries.chained, f.coalesce(first_entries.second_n, req.n), nil); first_entries.first_n = f.choose(first_entries.chained, first_entries.first_n, req.n); first_entries.times = f.choose(first_entries.chained, (first_entries.times ~= nil and (first_entries.times + 1) or nil), 1); first_entries.latest_t = t; first_entries.same = f.digest(c["continuation_token raw"])]],
      "c first_entries t req",
    },
  },
  {
    on = "table_entries_read",
    when = { [[(req.continued ~= nil and req.continued > 0)]], "req" },
    does = { [[first_entries.times = 0]], "first_entries" },
  },
  {
    on = "table_keys_read",
    guard = 45,
    when = { [[(req.continued ~= nil and req.continued > 0)]], "req" },
    does = {
      [[same_keys.chained = ((same_keys.times ~= nil and same_keys.times > 0) and ((same_keys.latest_t ~= nil and (t - same_keys.latest_t) <= K.REFUSED_PAUSE) and (same_keys.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and same_keys.same == f.digest(c["continuation_token raw"])))); same_keys.slower = f.choose(same_keys.chained, (same_keys.slower ~= nil and (((same_keys.latest_t ~= nil and (t - same_keys.latest_t) > 0) and (same_keys.latest_t ~= nil and same_keys.gap ~= nil and ((t - same_keys.latest_t) * 10) >= (13 * same_keys.gap))) and 1 or 0) ~= nil and (same_keys.slower + (((same_keys.latest_t ~= nil and (t - same_keys.latest_t) > 0) and (same_keys.latest_t ~= nil and same_keys.gap ~= nil and ((t - same_keys.latest_t) * 10) >= (13 * same_keys.gap))) and 1 or 0)) or nil), 0); same_keys.gap = f.choose(same_keys.chained, (same_keys.latest_t ~= nil and (t - same_keys.latest_t) or nil), nil); same_keys.first_gap = f.choose(same_keys.chained, f.coalesce(same_keys.first_gap, (same_keys.latest_t ~= nil and (t - same_keys.latest_t) or nil)), nil); same_keys.second_n = f.choose(same_keys.chained, f.coalesce(same_keys.second_n, req.n), nil); same_keys.first_n = f.choose(same_keys.chained, same_keys.first_n, req.n); same_keys.times = f.choose(same_keys.chained, (same_keys.times ~= nil and (same_keys.times + 1) or nil), 1); same_keys.latest_t = t; same_keys.same = f.digest(c["continuation_token raw"])]],
      "c same_keys t req",
    },
  },
  {
    on = "table_keys_read",
    when = { [[(req.continued == 0)]], "req" },
    does = { [[same_keys.times = 0]], "same_keys" },
  },
  {
    on = "table_entries_read",
    guard = 45,
    when = { [[(req.continued ~= nil and req.continued > 0)]], "req" },
    does = {
      [[same_entries.chained = ((same_entries.times ~= nil and same_entries.times > 0) and ((same_entries.latest_t ~= nil and (t - same_entries.latest_t) <= K.REFUSED_PAUSE) and (same_entries.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and same_entries.same == f.digest(c["continuation_token raw"])))); same_entries.slower = f.choose(same_entries.chained, (same_entries.slower ~= nil and (((same_entries.latest_t ~= nil and (t - same_entries.latest_t) > 0) and (same_entries.latest_t ~= nil and same_entries.gap ~= nil and ((t - same_entries.latest_t) * 10) >= (13 * same_entries.gap))) and 1 or 0) ~= nil and (same_entries.slower + (((same_entries.latest_t ~= nil and (t - same_entries.latest_t) > 0) and (same_entries.latest_t ~= nil and same_entries.gap ~= nil and ((t - same_entries.latest_t) * 10) >= (13 * same_entries.gap))) and 1 or 0)) or nil), 0); same_entries.gap = f.choose(same_entries.chained, (same_entries.latest_t ~= nil and (t - same_entries.latest_t) or nil), nil); same_entries.first_gap = f.choose(same_entries.chained, f.coalesce(same_entries.first_gap, (same_entries.latest_t ~= nil and (t - same_entries.latest_t) or nil)), nil); same_entries.second_n = f.choose(same_entries.chained, f.coalesce(same_entries.second_n, req.n), nil); same_entries.first_n = f.choose(same_entries.chained, same_entries.first_n, req.n); same_entries.times = f.choose(same_entries.chained, (same_entries.times ~= nil and (same_entries.times + 1) or nil), 1); same_entries.latest_t = t; same_entries.same = f.digest(c["continuation_token raw"])]],
      "c same_entries t req",
    },
  },
  {
    on = "table_entries_read",
    when = { [[(req.continued == 0)]], "req" },
    does = { [[same_entries.times = 0]], "same_entries" },
  },
  {
    on = "table_keys_read",
    guard = 7,
    when = { [[((req.continued == 0) and (conn.internal_n == nil))]], "req conn" },
    does = {
      [[scanned_keys.chained = ((scanned_keys.times ~= nil and scanned_keys.times > 0) and (scanned_keys.latest_t ~= nil and (t - scanned_keys.latest_t) <= K.SCAN_PAUSE)); scanned_keys.second_n = f.choose(scanned_keys.chained, f.coalesce(scanned_keys.second_n, req.n), nil); scanned_keys.first_n = f.choose(scanned_keys.chained, scanned_keys.first_n, req.n); scanned_keys.times = f.choose(scanned_keys.chained, (scanned_keys.times ~= nil and (scanned_keys.times + 1) or nil), 1); scanned_keys.latest_t = t]],
      "scanned_keys t req",
    },
  },
  {
    on = "table_entries_read",
    guard = 8,
    when = { [[((req.continued == 0) and (conn.internal_n == nil))]], "req conn" },
    does = {
      [[scanned_entries.chained = ((scanned_entries.times ~= nil and scanned_entries.times > 0) and (scanned_entries.latest_t ~= nil and (t - scanned_entries.latest_t) <= K.SCAN_PAUSE)); scanned_entries.second_n = f.choose(scanned_entries.chained, f.coalesce(scanned_entries.second_n, req.n), nil); scanned_entries.first_n = f.choose(scanned_entries.chained, scanned_entries.first_n, req.n); scanned_entries.times = f.choose(scanned_entries.chained, (scanned_entries.times ~= nil and (scanned_entries.times + 1) or nil), 1); scanned_entries.latest_t = t]],
      "scanned_entries t req",
    },
  },
  {
    on = "wrong_host",
    guard = 9,
    does = {
      [[misdirected.chained = ((misdirected.times ~= nil and misdirected.times > 0) and (misdirected.latest_t ~= nil and (t - misdirected.latest_t) <= 5000000000.0)); misdirected.slower = f.choose(misdirected.chained, (misdirected.slower ~= nil and (((misdirected.latest_t ~= nil and (t - misdirected.latest_t) > 0) and (misdirected.latest_t ~= nil and misdirected.gap ~= nil and ((t - misdirected.latest_t) * 10) >= (13 * misdirected.gap))) and 1 or 0) ~= nil and (misdirected.slower + (((misdirected.latest_t ~= nil and (t - misdirected.latest_t) > 0) and (misdirected.latest_t ~= nil and misdirected.gap ~= nil and ((t - misdirected.latest_t) * 10) >= (13 * misdirected.gap))) and 1 or 0)) or nil), 0); misdirected.gap = f.choose(misdirected.chained, (misdirected.latest_t ~= nil and (t - misdirected.latest_t) or nil), nil); misdirected.first_gap = f.choose(misdirected.chained, f.coalesce(misdirected.first_gap, (misdirected.latest_t ~= nil and (t - misdirected.latest_t) or nil)), nil); misdirected.second_n = f.choose(misdirected.chained, f.coalesce(misdirected.second_n, n), nil); misdirected.first_n = f.choose(misdirected.chained, misdirected.first_n, n); misdirected.times = f.choose(misdirected.chained, (misdirected.times ~= nil and (misdirected.times + 1) or nil), 1); misdirected.latest_t = t]],
      "misdirected t n",
    },
  },
  {
    on = "wrong_host",
    does = {
      [[misplaced.chained = ((misplaced.times ~= nil and misplaced.times > 0) and (misplaced.latest_t ~= nil and (t - misplaced.latest_t) <= 2000000000.0)); misplaced.slower = f.choose(misplaced.chained, (misplaced.slower ~= nil and (((misplaced.latest_t ~= nil and (t - misplaced.latest_t) > 0) and (misplaced.latest_t ~= nil and misplaced.gap ~= nil and ((t - misplaced.latest_t) * 10) >= (13 * misplaced.gap))) and 1 or 0) ~= nil and (misplaced.slower + (((misplaced.latest_t ~= nil and (t - misplaced.latest_t) > 0) and (misplaced.latest_t ~= nil and misplaced.gap ~= nil and ((t - misplaced.latest_t) * 10) >= (13 * misplaced.gap))) and 1 or 0)) or nil), 0); misplaced.gap = f.choose(misplaced.chained, (misplaced.latest_t ~= nil and (t - misplaced.latest_t) or nil), nil); misplaced.first_gap = f.choose(misplaced.chained, f.coalesce(misplaced.first_gap, (misplaced.latest_t ~= nil and (t - misplaced.latest_t) or nil)), nil); misplaced.second_n = f.choose(misplaced.chained, f.coalesce(misplaced.second_n, n), nil); misplaced.first_n = f.choose(misplaced.chained, misplaced.first_n, n); misplaced.times = f.choose(misplaced.chained, (misplaced.times ~= nil and (misplaced.times + 1) or nil), 1); misplaced.latest_t = t]],
      "misplaced t n",
    },
  },
  {
    on = "read_segment",
    when = {
      [[((c.offset ~= nil and reader.reached ~= nil and c.offset > reader.reached) and (reader.under_way_open == 0))]],
      "c reader",
    },
    does = {
      [[reader.skipped_chained = ((reader.skipped_times ~= nil and reader.skipped_times > 0) and (reader.skipped_latest_t ~= nil and (t - reader.skipped_latest_t) <= K.SKIP_PAUSE)); reader.skipped_second_n = f.choose(reader.skipped_chained, f.coalesce(reader.skipped_second_n, n), nil); reader.skipped_first_n = f.choose(reader.skipped_chained, reader.skipped_first_n, n); reader.skipped_times = f.choose(reader.skipped_chained, (reader.skipped_times ~= nil and (reader.skipped_times + 1) or nil), 1); reader.skipped_latest_t = t]],
      "reader t n",
    },
  },
  {
    on = "read_segment",
    when = { [[(c.offset ~= nil and reader.reached ~= nil and c.offset == reader.reached)]], "c reader" },
    does = { [[reader.skipped_times = 0]], "reader" },
  },
  {
    on = "segment_read",
    guard = 46,
    does = {
      [[reader.read_again_chained = ((reader.read_again_times ~= nil and reader.read_again_times > 0) and ((reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) <= K.REFUSED_PAUSE) and (reader.read_again_same ~= nil and c.offset ~= nil and reader.read_again_same == c.offset))); reader.read_again_slower = f.choose(reader.read_again_chained, (reader.read_again_slower ~= nil and (((reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) > 0) and (reader.read_again_latest_t ~= nil and reader.read_again_gap ~= nil and ((t - reader.read_again_latest_t) * 10) >= (13 * reader.read_again_gap))) and 1 or 0) ~= nil and (reader.read_again_slower + (((reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) > 0) and (reader.read_again_latest_t ~= nil and reader.read_again_gap ~= nil and ((t - reader.read_again_latest_t) * 10) >= (13 * reader.read_again_gap))) and 1 or 0)) or nil), 0); reader.read_again_gap = f.choose(reader.read_again_chained, (reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) or nil), nil); reader.read_again_first_gap = f.choose(reader.read_again_chained, f.coalesce(reader.read_again_first_gap, (reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) or nil)), nil); reader.read_again_second_n = f.choose(reader.read_again_chained, f.coalesce(reader.read_again_second_n, req.n), nil); reader.read_again_first_n = f.choose(reader.read_again_chained, reader.read_again_first_n, req.n); reader.read_again_times = f.choose(reader.read_again_chained, (reader.read_again_times ~= nil and (reader.read_again_times + 1) or nil), 1); reader.read_again_latest_t = t; reader.read_again_same = c.offset]],
      "c reader t req",
    },
  },
  {
    on = "read_segment",
    guard = 47,
    does = {
      [[input.read_in_bits_chained = ((input.read_in_bits_times ~= nil and input.read_in_bits_times > 0) and ((input.read_in_bits_open == 0) and (input.read_in_bits_answered_t ~= nil and f.max((input.read_in_bits_took ~= nil and (input.read_in_bits_took * 3) or nil), 5000000) ~= nil and (t - input.read_in_bits_answered_t) <= f.max((input.read_in_bits_took ~= nil and (input.read_in_bits_took * 3) or nil), 5000000)) and (input.read_in_bits_value ~= nil and c.offset ~= nil and input.read_in_bits_value ~= c.offset))); input.read_in_bits_second_n = f.choose(input.read_in_bits_chained, f.coalesce(input.read_in_bits_second_n, n), nil); input.read_in_bits_first_n = f.choose(input.read_in_bits_chained, input.read_in_bits_first_n, n); input.read_in_bits_times = f.choose(input.read_in_bits_chained, (input.read_in_bits_times ~= nil and (input.read_in_bits_times + 1) or nil), 1); input.read_in_bits_asked_t = t; input.read_in_bits_open = (f.coalesce(input.read_in_bits_open, 0) + 1); input.read_in_bits_value = c.offset]],
      "c input t n",
    },
  },
  {
    on = "segment_read",
    when = { [[(input.read_in_bits_open ~= nil and input.read_in_bits_open > 0)]], "input" },
    does = {
      [[input.read_in_bits_took = (input.read_in_bits_asked_t ~= nil and (t - input.read_in_bits_asked_t) or nil); input.read_in_bits_answered_t = t; input.read_in_bits_open = 0]],
      "input t",
    },
  },
  {
    on = "update_table_entries",
    guard = 10,
    does = {
      [[entered_singly.chained = ((entered_singly.times ~= nil and entered_singly.times > 0) and ((entered_singly.open == 0) and (entered_singly.answered_t ~= nil and f.max((entered_singly.took ~= nil and (entered_singly.took * 3) or nil), 5000000) ~= nil and (t - entered_singly.answered_t) <= f.max((entered_singly.took ~= nil and (entered_singly.took * 3) or nil), 5000000)))); entered_singly.second_n = f.choose(entered_singly.chained, f.coalesce(entered_singly.second_n, n), nil); entered_singly.first_n = f.choose(entered_singly.chained, entered_singly.first_n, n); entered_singly.times = f.choose(entered_singly.chained, (entered_singly.times ~= nil and (entered_singly.times + 1) or nil), 1); entered_singly.asked_t = t; entered_singly.open = (f.coalesce(entered_singly.open, 0) + 1)]],
      "entered_singly t n",
    },
  },
  {
    on = "table_entries_updated",
    when = { [[(entered_singly.open ~= nil and entered_singly.open > 0)]], "entered_singly" },
    does = {
      [[entered_singly.took = (entered_singly.asked_t ~= nil and (t - entered_singly.asked_t) or nil); entered_singly.answered_t = t; entered_singly.open = 0]],
      "entered_singly t",
    },
  },
  {
    on = "read_table",
    guard = 11,
    does = {
      [[looked_up.chained = ((looked_up.times ~= nil and looked_up.times > 0) and ((looked_up.open == 0) and (looked_up.answered_t ~= nil and f.max((looked_up.took ~= nil and (looked_up.took * 3) or nil), 5000000) ~= nil and (t - looked_up.answered_t) <= f.max((looked_up.took ~= nil and (looked_up.took * 3) or nil), 5000000)))); looked_up.second_n = f.choose(looked_up.chained, f.coalesce(looked_up.second_n, n), nil); looked_up.first_n = f.choose(looked_up.chained, looked_up.first_n, n); looked_up.times = f.choose(looked_up.chained, (looked_up.times ~= nil and (looked_up.times + 1) or nil), 1); looked_up.asked_t = t; looked_up.open = (f.coalesce(looked_up.open, 0) + 1)]],
      "looked_up t n",
    },
  },
  {
    on = "table_read",
    when = { [[(looked_up.open ~= nil and looked_up.open > 0)]], "looked_up" },
    does = {
      [[looked_up.took = (looked_up.asked_t ~= nil and (t - looked_up.asked_t) or nil); looked_up.answered_t = t; looked_up.open = 0]],
      "looked_up t",
    },
  },
  {
    on = "remove_table_keys",
    guard = 11,
    does = {
      [[removed_singly.chained = ((removed_singly.times ~= nil and removed_singly.times > 0) and ((removed_singly.open == 0) and (removed_singly.answered_t ~= nil and f.max((removed_singly.took ~= nil and (removed_singly.took * 3) or nil), 5000000) ~= nil and (t - removed_singly.answered_t) <= f.max((removed_singly.took ~= nil and (removed_singly.took * 3) or nil), 5000000)))); removed_singly.second_n = f.choose(removed_singly.chained, f.coalesce(removed_singly.second_n, n), nil); removed_singly.first_n = f.choose(removed_singly.chained, removed_singly.first_n, n); removed_singly.times = f.choose(removed_singly.chained, (removed_singly.times ~= nil and (removed_singly.times + 1) or nil), 1); removed_singly.asked_t = t; removed_singly.open = (f.coalesce(removed_singly.open, 0) + 1)]],
      "removed_singly t n",
    },
  },
  {
    on = "table_keys_removed",
    when = { [[(removed_singly.open ~= nil and removed_singly.open > 0)]], "removed_singly" },
    does = {
      [[removed_singly.took = (removed_singly.asked_t ~= nil and (t - removed_singly.asked_t) or nil); removed_singly.answered_t = t; removed_singly.open = 0]],
      "removed_singly t",
    },
  },
  {
    on = "append_block_end",
    guard = 48,
    does = {
      [[writer.stored_singly_chained = ((writer.stored_singly_times ~= nil and writer.stored_singly_times > 0) and ((writer.stored_singly_open == 0) and (writer.stored_singly_answered_t ~= nil and f.max((writer.stored_singly_took ~= nil and (writer.stored_singly_took * 3) or nil), 5000000) ~= nil and (t - writer.stored_singly_answered_t) <= f.max((writer.stored_singly_took ~= nil and (writer.stored_singly_took * 3) or nil), 5000000)))); writer.stored_singly_second_n = f.choose(writer.stored_singly_chained, f.coalesce(writer.stored_singly_second_n, n), nil); writer.stored_singly_first_n = f.choose(writer.stored_singly_chained, writer.stored_singly_first_n, n); writer.stored_singly_times = f.choose(writer.stored_singly_chained, (writer.stored_singly_times ~= nil and (writer.stored_singly_times + 1) or nil), 1); writer.stored_singly_asked_t = t; writer.stored_singly_open = (f.coalesce(writer.stored_singly_open, 0) + 1)]],
      "writer t n",
    },
  },
  {
    on = "data_appended",
    when = { [[(writer.stored_singly_open ~= nil and writer.stored_singly_open > 0)]], "writer" },
    does = {
      [[writer.stored_singly_took = (writer.stored_singly_asked_t ~= nil and (t - writer.stored_singly_asked_t) or nil); writer.stored_singly_answered_t = t; writer.stored_singly_open = 0]],
      "writer t",
    },
  },
  {
    on = "conditional_append conditional_block_end",
    when = {
      [[((size ~= nil and size < K.TINY) and (not f.starts(writer.segment, "_system/")) and (f.between(writer.segment, "/_", "/") == nil))]],
      "size writer",
    },
    does = {
      [[writer.flushed_singly_chained = ((writer.flushed_singly_times ~= nil and writer.flushed_singly_times > 0) and ((writer.flushed_singly_open == 0) and (writer.flushed_singly_answered_t ~= nil and f.max((writer.flushed_singly_took ~= nil and (writer.flushed_singly_took * 3) or nil), 20000000) ~= nil and (t - writer.flushed_singly_answered_t) <= f.max((writer.flushed_singly_took ~= nil and (writer.flushed_singly_took * 3) or nil), 20000000)))); writer.flushed_singly_second_n = f.choose(writer.flushed_singly_chained, f.coalesce(writer.flushed_singly_second_n, n), nil); writer.flushed_singly_first_n = f.choose(writer.flushed_singly_chained, writer.flushed_singly_first_n, n); writer.flushed_singly_times = f.choose(writer.flushed_singly_chained, (writer.flushed_singly_times ~= nil and (writer.flushed_singly_times + 1) or nil), 1); writer.flushed_singly_asked_t = t; writer.flushed_singly_open = (f.coalesce(writer.flushed_singly_open, 0) + 1)]],
      "writer t n",
    },
  },
  {
    on = "data_appended",
    when = { [[(writer.flushed_singly_open ~= nil and writer.flushed_singly_open > 0)]], "writer" },
    does = {
      [[writer.flushed_singly_took = (writer.flushed_singly_asked_t ~= nil and (t - writer.flushed_singly_asked_t) or nil); writer.flushed_singly_answered_t = t; writer.flushed_singly_open = 0]],
      "writer t",
    },
  },
  {
    on = "read_table_keys",
    guard = 12,
    does = {
      [[paged_keys.chained = ((paged_keys.times ~= nil and paged_keys.times > 0) and ((paged_keys.open == 0) and (paged_keys.answered_t ~= nil and f.max((paged_keys.took ~= nil and (paged_keys.took * 3) or nil), 5000000) ~= nil and (t - paged_keys.answered_t) <= f.max((paged_keys.took ~= nil and (paged_keys.took * 3) or nil), 5000000)))); paged_keys.second_n = f.choose(paged_keys.chained, f.coalesce(paged_keys.second_n, n), nil); paged_keys.first_n = f.choose(paged_keys.chained, paged_keys.first_n, n); paged_keys.times = f.choose(paged_keys.chained, (paged_keys.times ~= nil and (paged_keys.times + 1) or nil), 1); paged_keys.asked_t = t; paged_keys.open = (f.coalesce(paged_keys.open, 0) + 1)]],
      "paged_keys t n",
    },
  },
  {
    on = "table_keys_read",
    when = { [[(paged_keys.open ~= nil and paged_keys.open > 0)]], "paged_keys" },
    does = {
      [[paged_keys.took = (paged_keys.asked_t ~= nil and (t - paged_keys.asked_t) or nil); paged_keys.answered_t = t; paged_keys.open = 0]],
      "paged_keys t",
    },
  },
  {
    on = "read_table_entries",
    guard = 13,
    does = {
      [[paged_entries.chained = ((paged_entries.times ~= nil and paged_entries.times > 0) and ((paged_entries.open == 0) and (paged_entries.answered_t ~= nil and f.max((paged_entries.took ~= nil and (paged_entries.took * 3) or nil), 5000000) ~= nil and (t - paged_entries.answered_t) <= f.max((paged_entries.took ~= nil and (paged_entries.took * 3) or nil), 5000000)))); paged_entries.second_n = f.choose(paged_entries.chained, f.coalesce(paged_entries.second_n, n), nil); paged_entries.first_n = f.choose(paged_entries.chained, paged_entries.first_n, n); paged_entries.times = f.choose(paged_entries.chained, (paged_entries.times ~= nil and (paged_entries.times + 1) or nil), 1); paged_entries.asked_t = t; paged_entries.open = (f.coalesce(paged_entries.open, 0) + 1)]],
      "paged_entries t n",
    },
  },
  {
    on = "table_entries_read",
    when = { [[(paged_entries.open ~= nil and paged_entries.open > 0)]], "paged_entries" },
    does = {
      [[paged_entries.took = (paged_entries.asked_t ~= nil and (t - paged_entries.asked_t) or nil); paged_entries.answered_t = t; paged_entries.open = 0]],
      "paged_entries t",
    },
  },
  {
    on = "client:keep_alive",
    when = {
      [=[LISTS[3][(C.frames ~= nil and (C.frames - f.coalesce(conn.alive_frames, 0)) or nil)]]=],
      "C conn",
    },
    does = {
      [[conn.flushed_second_n = f.choose((conn.flushed_count == 1), n, conn.flushed_second_n); conn.flushed_count = (f.coalesce(conn.flushed_count, 0) + 1); conn.flushed_latest_n = n]],
      "conn n",
    },
  },
  { on = "client:keep_alive", does = { [[conn.alive_frames = C.frames]], "conn C" } },
  {
    on = "client:get_stream_segment_info",
    does = {
      [[conn.measured_second_n = f.choose((conn.measured_count == 1), n, conn.measured_second_n); conn.measured_count = (f.coalesce(conn.measured_count, 0) + 1); conn.measured_latest_n = n]],
      "conn n",
    },
  },
  {
    on = "segment_truncated",
    does = {
      [[trimmed.chained = ((trimmed.times ~= nil and trimmed.times > 0) and (trimmed.latest_t ~= nil and (t - trimmed.latest_t) <= 2000000000.0)); trimmed.second_n = f.choose(trimmed.chained, f.coalesce(trimmed.second_n, req.n), nil); trimmed.first_n = f.choose(trimmed.chained, trimmed.first_n, req.n); trimmed.times = f.choose(trimmed.chained, (trimmed.times ~= nil and (trimmed.times + 1) or nil), 1); trimmed.latest_t = t]],
      "trimmed t req",
    },
  },
  {
    on = "append_block_end",
    guard = 49,
    does = {
      [[writer.crumbs_second_n = f.choose((writer.crumbs_count == 1), n, writer.crumbs_second_n); writer.crumbs_count = (f.coalesce(writer.crumbs_count, 0) + 1); writer.crumbs_latest_n = n]],
      "writer n",
    },
  },
  {
    on = "append_block_end",
    guard = 48,
    when = { [[((f.count(writer.waiting) or 1) > 1)]], "writer" },
    does = {
      [[writer.single_second_n = f.choose((writer.single_count == 1), n, writer.single_second_n); writer.single_count = (f.coalesce(writer.single_count, 0) + 1); writer.single_latest_n = n]],
      "writer n",
    },
  },
  {
    on = "client:tcp.close client:tcp.reset",
    does = {
      [[conn.finished = 1; conn.rested = f.coalesce(conn.rested, (C.last_t ~= nil and (t - C.last_t) or nil))]],
      "conn C t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[(((C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) <= 2) and (conn.finished == 1)) and (why ~= nil and not LISTS[1][why]) and (conn.start and conn.gapless and conn.both))]],
      "C conn why",
    },
    does = {
      [[reconnected.chained = ((reconnected.times ~= nil and reconnected.times > 0) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 2000000000.0))); reconnected.second_n = f.choose(reconnected.chained, f.coalesce(reconnected.second_n, conn.n), nil); reconnected.first_n = f.choose(reconnected.chained, reconnected.first_n, conn.n); reconnected.times = f.choose(reconnected.chained, (reconnected.times ~= nil and (reconnected.times + 1) or nil), 1); reconnected.latest_t = t]],
      "reconnected conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[1][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[reconnected.times = 0]], "reconnected" },
  },
  {
    on = "end:conn",
    when = {
      [[(((C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) <= K.FEW_FRAMES) and (conn.finished == 1)) and (why ~= nil and not LISTS[1][why]) and (conn.start and conn.gapless and conn.both))]],
      "C conn why",
    },
    does = {
      [[reconnected_often.chained = ((reconnected_often.times ~= nil and reconnected_often.times > 0) and ((reconnected_often.latest_t ~= nil and conn.t ~= nil and reconnected_often.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected_often.latest_t ~= nil and (conn.t - reconnected_often.latest_t) <= 10000000000.0))); reconnected_often.second_n = f.choose(reconnected_often.chained, f.coalesce(reconnected_often.second_n, conn.n), nil); reconnected_often.first_n = f.choose(reconnected_often.chained, reconnected_often.first_n, conn.n); reconnected_often.times = f.choose(reconnected_often.chained, (reconnected_often.times ~= nil and (reconnected_often.times + 1) or nil), 1); reconnected_often.latest_t = t]],
      "reconnected_often conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[1][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[reconnected_often.times = 0]], "reconnected_often" },
  },
  {
    on = "server:tcp.close server:tcp.reset",
    when = { [[(conn.finished == nil)]], "conn" },
    does = { [[conn.dropped = 1]], "conn" },
  },
  {
    on = "end:conn",
    when = {
      [[(((conn.dropped == 1) and (conn.internal_n == nil) and LISTS[4][(C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) or nil)]) and (why ~= nil and not LISTS[1][why]) and (conn.start and conn.gapless and conn.both))]],
      "conn C why",
    },
    does = {
      [[dropped.chained = ((dropped.times ~= nil and dropped.times > 0) and ((dropped.latest_t ~= nil and conn.t ~= nil and dropped.latest_t <= (conn.t + 0)) and (conn.t ~= nil and dropped.latest_t ~= nil and (conn.t - dropped.latest_t) <= 5000000000.0))); dropped.second_n = f.choose(dropped.chained, f.coalesce(dropped.second_n, conn.n), nil); dropped.first_n = f.choose(dropped.chained, dropped.first_n, conn.n); dropped.times = f.choose(dropped.chained, (dropped.times ~= nil and (dropped.times + 1) or nil), 1); dropped.latest_t = t]],
      "dropped conn t",
    },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[1][why]) and ((conn.start ~= nil and not conn.start) or (conn.gapless ~= nil and not conn.gapless) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[dropped.times = 0]], "dropped" },
  },
  {
    on = "end:conn",
    does = { [[left_open.all = (f.coalesce(left_open.all, 0) + 1)]], "left_open" },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[5][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[left_open.ended = (f.coalesce(left_open.ended, 0) + 1)]], "left_open" },
  },
  {
    on = "end:conn",
    when = {
      [[((LISTS[6][(C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) or nil)] and (conn.finished == nil) and (C.last_t ~= nil and (t - C.last_t) > K.CLOSED_AFTER)) and LISTS[5][why] and (conn.start and conn.whole and conn.both))]],
      "C conn t why",
    },
    does = {
      [[left_open.left = (f.coalesce(left_open.left, 0) + 1); left_open.latest_n = C.last_n; left_open.first_n = f.coalesce(left_open.first_n, C.last_n)]],
      "left_open C",
    },
  },
  {
    on = "end:conn",
    does = { [[left_idle.all = (f.coalesce(left_idle.all, 0) + 1)]], "left_idle" },
  },
  {
    on = "end:conn",
    when = {
      [[((why ~= nil and not LISTS[5][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[left_idle.ended = (f.coalesce(left_idle.ended, 0) + 1)]], "left_idle" },
  },
  {
    on = "end:conn",
    when = {
      [[((((C.frames ~= nil and 3 <= (C.frames - f.coalesce(conn.alives, 0))) and (C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) <= K.FEW_FRAMES)) and (f.coalesce(conn.rested, (C.last_t ~= nil and (t - C.last_t) or nil)) ~= nil and f.coalesce(conn.rested, (C.last_t ~= nil and (t - C.last_t) or nil)) > K.CLOSED_AFTER)) and LISTS[5][why] and (conn.start and conn.whole and conn.both))]],
      "C conn t why",
    },
    does = {
      [[left_idle.left = (f.coalesce(left_idle.left, 0) + 1); left_idle.latest_n = C.last_n; left_idle.first_n = f.coalesce(left_idle.first_n, C.last_n)]],
      "left_idle C",
    },
  },
  {
    on = "end:writer",
    does = { [[brief_writers.all = (f.coalesce(brief_writers.all, 0) + 1)]], "brief_writers" },
  },
  {
    on = "end:writer",
    when = {
      [[((why ~= nil and not LISTS[5][why]) or ((conn.start ~= nil and not conn.start) or (conn.whole ~= nil and not conn.whole) or (conn.both ~= nil and not conn.both)))]],
      "why conn",
    },
    does = { [[brief_writers.ended = (f.coalesce(brief_writers.ended, 0) + 1)]], "brief_writers" },
  },
  {
    on = "end:writer",
    when = {
      [[(((writer.appends ~= nil and writer.appends <= 1) and (writer.ready_n ~= nil) and (why ~= nil and why ~= "end") and (not f.starts(writer.segment, "_system/"))) and LISTS[5][why] and (conn.start and conn.whole and conn.both))]],
      "writer why conn",
    },
    does = {
      [[brief_writers.left = (f.coalesce(brief_writers.left, 0) + 1); brief_writers.latest_n = writer.setup_n; brief_writers.first_n = f.coalesce(brief_writers.first_n, writer.setup_n)]],
      "brief_writers writer",
    },
  },
  { on = "setup_append", guard = 14, does = { [[transaction.setup_n = n]], "transaction n" } },
  {
    on = "end:writer",
    when = { [[(writer.appends ~= nil and writer.appends > 0)]], "writer" },
    does = {
      [[transaction.used_n = writer.last_n; transaction.used_t = writer.last_t]],
      "transaction writer",
    },
  },
  { on = "merge_segments", does = { [[transaction.merged_n = n]], "transaction n" } },
  {
    on = "merge_segments_batch",
    items = "sources",
    does = { [[transaction.merged_n = n]], "transaction n" },
  },
  { on = "delete_segment", does = { [[transaction.deleted_n = n]], "transaction n" } },
  {
    on = "segment_created",
    does = {
      [[transient.created_n = n; transient.created_t = t; transient.segment = c.segment]],
      "c transient n t",
    },
  },
  { on = "merge_segments", does = { [[transient.merged_n = n]], "transient n" } },
  {
    on = "merge_segments_batch",
    items = "sources",
    does = { [[transient.merged_n = n]], "transient n" },
  },
  {
    on = "segment_read",
    does = {
      [[input.again = f.choose(((input.start ~= nil and c.offset ~= nil and input.start < c.offset) and (c.offset ~= nil and input.reached ~= nil and c.offset < input.reached)), (f.coalesce(input.again, 0) + 1), 0); input.start = c.offset]],
      "c input",
    },
  },
  {
    on = "segment_read",
    guard = 50,
    does = {
      [[input.began = f.coalesce(input.began, c.offset); input.latest = c.offset; input.reached = (c.offset ~= nil and c["#data"] ~= nil and (c.offset + c["#data"]) or nil); input.reached_n = n]],
      "c input n",
    },
  },
  { on = "conditional_append", does = { [[stated.by_n = n]], "stated n" } },
  { on = "truncate_segment", does = { [[stated.cut_n = n]], "stated n" } },
  {
    on = "end:input",
    does = {
      [[extent.again = f.choose(((input.began ~= nil and extent.began ~= nil and input.began == extent.began) and (input.reached ~= nil and extent.reached ~= nil and input.reached > extent.reached)), (f.coalesce(extent.again, 0) + 1), 0); extent.whole = ((conn.start and conn.whole and conn.both) and 1 or 0)]],
      "extent input conn",
    },
  },
  { on = "controller_stream_cut", guard = 25, does = { [[clipped.by_n = n]], "clipped n" } },
  {
    on = "end:input",
    does = {
      [[extent.began = input.began; extent.latest = input.latest; extent.reached = input.reached; extent.left_t = t; extent.left_n = input.reached_n; extent.flow = flow]],
      "extent input t flow",
    },
  },
  {
    on = "end:writer",
    when = { [[(writer.sealed_n ~= nil)]], "writer" },
    does = {
      [[barred.times = (f.coalesce(barred.times, 0) + 1); barred.sealed_n = writer.sealed_n]],
      "barred writer",
    },
  },
  {
    on = "append_block_end",
    does = {
      [[pen.first = f.coalesce(pen.first, (c.last_event_number ~= nil and c.num_events ~= nil and ((c.last_event_number - c.num_events) + 1) or nil)); pen.first_n = f.coalesce(pen.first_n, n); pen.first_t = f.coalesce(pen.first_t, t)]],
      "c pen n t",
    },
  },
  {
    on = "end:writer",
    does = { [[pen.sent = writer.sent; pen.sent_n = writer.sent_n]], "pen writer" },
  },
  {
    on = "end:writer",
    does = {
      [[spread.opened = f.put(spread.opened, f.between(writer.segment, "/", ".#epoch.")); spread.cut = f.coalesce(spread.cut, f.choose((conn.start and conn.whole and conn.both), nil, 1))]],
      "spread writer conn",
    },
  },
  {
    on = "end:writer",
    when = { [[(writer.events ~= nil and writer.events > 0)]], "writer" },
    does = {
      [[spread.filled = f.put(spread.filled, f.between(writer.segment, "/", ".#epoch.")); spread.events = (writer.events ~= nil and (f.coalesce(spread.events, 0) + writer.events) or nil); spread.first_n = f.coalesce(spread.first_n, pen.first_n); spread.latest_n = writer.sent_n; spread.segment = writer.segment; spread.flow = flow]],
      "spread writer pen flow",
    },
  },
  {
    on = "end:writer",
    when = { [[(writer.events == 0)]], "writer" },
    does = { [[spread.empty_n = writer.setup_n]], "spread writer" },
  },
  {
    on = "end:writer",
    does = {
      [[unstored.digest = f.digest(writer.oldest); unstored.writer = writer.id; unstored.sent_n = writer.sent_n; unstored.left_t = t; unstored.lowest = writer.oldest_number; unstored.sent = writer.sent]],
      "unstored writer t",
    },
  },
  { on = "read_segment", does = { [[shelf.read_n = n]], "shelf n" } },
  {
    on = "end:input",
    does = { [[shelf.looked_t = f.max(f.coalesce(shelf.looked_t, 0), input.last_t)]], "shelf input" },
  },
  {
    on = "end:writer",
    when = {
      [[((writer.events ~= nil and writer.events > 0) and (writer.acked_n ~= nil) and (writer.transaction == nil) and (f.between(writer.segment, "/", ".#epoch.") ~= nil) and (f.between(writer.segment, "#transient.", "") == nil) and ((not f.starts(writer.segment, "_system/")) and (f.between(writer.segment, "/_", "/") == nil)))]],
      "writer",
    },
    does = {
      [[shelf.first_n = f.coalesce(shelf.first_n, f.coalesce(pen.first_n, writer.sent_n)); shelf.first_t = f.coalesce(shelf.first_t, f.coalesce(pen.first_t, writer.last_t)); shelf.wrote_t = f.max(f.coalesce(shelf.wrote_t, 0), writer.last_t); shelf.wrote_n = writer.sent_n; shelf.host = server; shelf.segment = writer.segment; shelf.events = (writer.events ~= nil and (f.coalesce(shelf.events, 0) + writer.events) or nil); shelf.scope = f.between(writer.segment, "", "/"); shelf.stream = f.between(writer.segment, "/", "/")]],
      "shelf pen writer server",
    },
  },
  {
    on = "end:conn",
    does = {
      [[store.cut = f.coalesce(store.cut, f.choose((conn.start and conn.whole and conn.both), nil, 1))]],
      "store conn",
    },
  },
  {
    on = "read_segment",
    does = { [[readership.read_n = n; readership.read = c.segment]], "c readership n" },
  },
  {
    on = "end:input",
    does = {
      [[readership.until_t = f.max(f.coalesce(readership.until_t, 0), t); readership.looked_t = f.max(f.coalesce(readership.looked_t, 0), input.last_t); readership.over_n = f.coalesce(input.ended_at_n, readership.over_n)]],
      "readership t input",
    },
  },
  {
    on = "segment_read",
    does = {
      [[archive.got = f.digest(c["data raw"]); archive.got_t = t; archive.got_n = n; archive.by = client]],
      "c archive t n client",
    },
  },
  {
    on = "append_block_end",
    guard = 17,
    when = {
      [[((writer.appends ~= nil and writer.appends <= K.FIRST_APPENDS) and (writer.transaction == nil) and (writer.appends ~= nil and writer.appends <= K.SAMPLE))]],
      "writer",
    },
    does = {
      [[archive.back = f.choose(((archive.got_t ~= nil and (t - archive.got_t) <= K.RETURNED_TIME) and (archive.by ~= nil and client ~= nil and archive.by == client) and (archive.got ~= nil and writer.pair ~= nil and archive.got == writer.pair) and (archive.got ~= nil and archive.got ~= f.coalesce(archive.former, 0))), (f.coalesce(archive.back, 0) + 1), 0); archive.former = archive.got]],
      "archive t client writer",
    },
  },
  { on = "conditional_check_failed", does = { [[writer.failed_n = n]], "writer n" } },
  {
    on = "end:writer",
    when = { [[(writer.failed_n ~= nil)]], "writer" },
    does = {
      [[outdated.times = f.choose((outdated.expected ~= nil and writer.expected ~= nil and outdated.expected == writer.expected), (f.coalesce(outdated.times, 0) + 1), 1); outdated.expected = writer.expected; outdated.sent_n = writer.sent_n]],
      "outdated writer",
    },
  },
  {
    on = "read_segment",
    when = { [[((f.coalesce(input.reads, 0) or 2) <= 1)]], "input" },
    does = {
      [[breadth.segments = f.put(breadth.segments, c.segment); breadth.first_n = f.coalesce(breadth.first_n, n); breadth.broad_n = f.choose((f.count(breadth.segments) ~= nil and f.count(breadth.segments) >= K.BROAD), f.coalesce(breadth.broad_n, n), nil); breadth.scope = f.between(c.segment, "", "/"); breadth.stream = f.between(c.segment, "/", "/")]],
      "c breadth n",
    },
  },
  {
    on = "end:input",
    does = {
      [[breadth.bytes = (input.bytes ~= nil and (f.coalesce(breadth.bytes, 0) + input.bytes) or nil)]],
      "breadth input",
    },
  },
  { on = "seal_segment", does = { [[fate.sealed_n = n]], "fate n" } },
  { on = "delete_segment", does = { [[fate.deleted_n = n]], "fate n" } },
  { on = "controller_stream_info", guard = 51, does = { [[fate.sealed_n = n]], "fate n" } },
  { on = "controller_stream_info", guard = 52, does = { [[fate.deleted_n = n]], "fate n" } },
  { on = "controller_scale_request", does = { [[fate.sealed_n = n]], "fate n" } },
  {
    on = "controller_stream_config",
    guard = 53,
    when = { [[(fate.deleted_n ~= nil)]], "fate" },
    does = { [[fate.made_n = n]], "fate n" },
  },
  {
    on = "append_setup",
    when = { [[(shared_writer.live ~= nil and shared_writer.live > 0)]], "shared_writer" },
    does = { [[shared_writer.second_n = n]], "shared_writer n" },
  },
  {
    on = "append_setup",
    does = {
      [[shared_writer.live = (f.max(f.coalesce(shared_writer.live, 0), 0) ~= nil and (f.max(f.coalesce(shared_writer.live, 0), 0) + 1) or nil); writer.shared_writer_n = n]],
      "shared_writer writer n",
    },
  },
  {
    on = "end:writer",
    does = {
      [[shared_writer.live = (shared_writer.live ~= nil and (shared_writer.live - 1) or nil)]],
      "shared_writer",
    },
  },
  {
    on = "append_setup",
    when = {
      [[((writer_in_turn.user ~= nil and flow ~= nil and writer_in_turn.user ~= flow) and f.has(writer_in_turn.users, flow))]],
      "writer_in_turn flow",
    },
    does = { [[writer_in_turn.returns = (f.coalesce(writer_in_turn.returns, 0) + 1)]], "writer_in_turn" },
  },
  {
    on = "append_setup",
    when = {
      [[(writer_in_turn.user ~= nil and flow ~= nil and writer_in_turn.user ~= flow)]],
      "writer_in_turn flow",
    },
    does = { [[writer_in_turn.former_n = writer_in_turn.latest_n]], "writer_in_turn" },
  },
  {
    on = "append_setup",
    does = {
      [[writer_in_turn.users = f.put(writer_in_turn.users, flow); writer_in_turn.user = flow; writer_in_turn.latest_n = n]],
      "writer_in_turn flow n",
    },
  },
  {
    on = "read_segment",
    does = {
      [[reader.under_way_open = (f.coalesce(reader.under_way_open, 0) + 1); reader.under_way_first_n = f.coalesce(reader.under_way_first_n, n)]],
      "reader n",
    },
  },
  {
    on = "segment_read segment_is_truncated segment_is_sealed no_such_segment wrong_host",
    does = { [[reader.under_way_open = 0; reader.under_way_first_n = nil]], "reader" },
  },
  {
    on = "read_segment",
    guard = 20,
    does = {
      [[asked_again.open = (f.coalesce(asked_again.open, 0) + 1); asked_again.first_n = f.coalesce(asked_again.first_n, n)]],
      "asked_again n",
    },
  },
  {
    on = "segment_read",
    does = { [[asked_again.open = 0; asked_again.first_n = nil]], "asked_again" },
  },
  { on = "auth_token_check_failed", does = { [[conn.token_refused_n = n]], "conn n" } },
  {
    on = "truncate_segment",
    does = {
      [[truncated_back.last = c.truncation_offset; truncated_back.latest_n = n]],
      "c truncated_back n",
    },
  },
  {
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    guard = 21,
    does = {
      [[existing.chained = ((existing.times ~= nil and existing.times > 0) and (existing.latest_t ~= nil and (t - existing.latest_t) <= 2000000000.0)); existing.second_n = f.choose(existing.chained, f.coalesce(existing.second_n, req.n), nil); existing.first_n = f.choose(existing.chained, existing.first_n, req.n); existing.times = f.choose(existing.chained, (existing.times ~= nil and (existing.times + 1) or nil), 1); existing.latest_t = t]],
      "existing t req",
    },
  },
  {
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    guard = 21,
    does = {
      [[existing_still.chained = ((existing_still.times ~= nil and existing_still.times > 0) and (existing_still.latest_t ~= nil and (t - existing_still.latest_t) <= 60000000000.0)); existing_still.second_n = f.choose(existing_still.chained, f.coalesce(existing_still.second_n, req.n), nil); existing_still.first_n = f.choose(existing_still.chained, existing_still.first_n, req.n); existing_still.times = f.choose(existing_still.chained, (existing_still.times ~= nil and (existing_still.times + 1) or nil), 1); existing_still.latest_t = t]],
      "existing_still t req",
    },
  },
  {
    on = "controller_create_stream_status controller_create_key_value_table_status",
    guard = 22,
    does = {
      [[created_anew.chained = ((created_anew.times ~= nil and created_anew.times > 0) and (created_anew.latest_t ~= nil and (t - created_anew.latest_t) <= 10000000000.0)); created_anew.second_n = f.choose(created_anew.chained, f.coalesce(created_anew.second_n, req.n), nil); created_anew.first_n = f.choose(created_anew.chained, created_anew.first_n, req.n); created_anew.times = f.choose(created_anew.chained, (created_anew.times ~= nil and (created_anew.times + 1) or nil), 1); created_anew.latest_t = t]],
      "created_anew t req",
    },
  },
  {
    on = "create_table_segment update_table_entries read_table create_segment setup_append read_segment",
    guard = 54,
    when = { [[(conn.internal_n == nil)]], "conn" },
    does = { [[conn.internal_n = n]], "conn n" },
  },
  {
    on = "controller_reader_group_configuration",
    guard = 55,
    when = {
      [[(f.has(groups.names, c.reader_group_name) ~= nil and not f.has(groups.names, c.reader_group_name))]],
      "c groups",
    },
    does = {
      [[groups.names = f.put(groups.names, c.reader_group_name); groups.former_n = groups.latest_n; groups.latest_n = n]],
      "c groups n",
    },
  },
  {
    on = "controller_key_value_table_config",
    guard = 56,
    when = {
      [[(f.has(groups.names, f.between(c.kvt_name, "", "_kvtable")) ~= nil and not f.has(groups.names, f.between(c.kvt_name, "", "_kvtable")))]],
      "c groups",
    },
    does = {
      [[groups.names = f.put(groups.names, f.between(c.kvt_name, "", "_kvtable")); groups.former_n = groups.latest_n; groups.latest_n = n]],
      "c groups n",
    },
  },
  {
    on = "create_segment create_table_segment",
    when = {
      [[(f.has(groups.names, (f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/"))) ~= nil and not f.has(groups.names, (f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/"))))]],
      "c groups",
    },
    does = {
      [[groups.names = f.put(groups.names, (f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/"))); groups.former_n = groups.latest_n; groups.latest_n = n]],
      "c groups n",
    },
  },
  {
    on = "controller_reader_group_info",
    guard = 57,
    does = { [[groups.deleted = n]], "groups n" },
  },
  { on = "delete_segment delete_table_segment", does = { [[groups.deleted = n]], "groups n" } },
  {
    on = "controller_create_txn_response",
    does = {
      [[lease.opened_n = f.coalesce(req.n, n); lease.opened_t = t; lease.time = req.lease; lease.alive_t = t; lease.scope = req.scope; lease.stream = req.stream]],
      "lease req n t",
    },
  },
  {
    on = "controller_txn_request",
    guard = 58,
    does = {
      [=[lease.over_n = f.coalesce(lease.over_n, n); lease.over_t = f.coalesce(lease.over_t, t); lease.how = c["carrier.method"]]=],
      "c lease n t",
    },
  },
  {
    on = "controller_ping_txn_status",
    guard = 22,
    does = { [[lease.alive_t = t; lease.time = req.lease]], "lease t req" },
  },
  {
    on = "controller_ping_txn_request",
    does = {
      [[pinged.chained = ((pinged.times ~= nil and pinged.times > 0) and (pinged.latest_t ~= nil and c.lease ~= nil and (t - pinged.latest_t) <= math.floor((c.lease * 1000000) / K.PING_PART))); pinged.second_n = f.choose(pinged.chained, f.coalesce(pinged.second_n, n), nil); pinged.first_n = f.choose(pinged.chained, pinged.first_n, n); pinged.times = f.choose(pinged.chained, (pinged.times ~= nil and (pinged.times + 1) or nil), 1); pinged.latest_t = t]],
      "c pinged t n",
    },
  },
  { on = "controller_create_txn_request", does = { [[author.asked_n = n]], "author n" } },
  {
    on = "controller_timestamp_response",
    guard = 24,
    does = {
      [[noted_back.chained = ((noted_back.times ~= nil and noted_back.times > 0) and (noted_back.latest_t ~= nil and (t - noted_back.latest_t) <= K.NOTED_PAUSE)); noted_back.times = f.choose(noted_back.chained, (noted_back.times ~= nil and (noted_back.times + 1) or nil), 1); noted_back.latest_t = t]],
      "noted_back t",
    },
  },
  {
    on = "controller_stream_cut",
    guard = 25,
    does = {
      [[cut.chained = ((cut.times ~= nil and cut.times > 0) and (cut.latest_t ~= nil and (t - cut.latest_t) <= K.CUT_PAUSE)); cut.second_n = f.choose(cut.chained, f.coalesce(cut.second_n, n), nil); cut.first_n = f.choose(cut.chained, cut.first_n, n); cut.times = f.choose(cut.chained, (cut.times ~= nil and (cut.times + 1) or nil), 1); cut.latest_t = t]],
      "cut t n",
    },
  },
  {
    on = "table_read",
    guard = 3,
    does = {
      [[cell.reads = (f.coalesce(cell.reads, 0) + 1); view.seen = f.coalesce(cell.writes, 0)]],
      "cell view",
    },
  },
  {
    on = "create_table_segment table_segment_info",
    does = { [[sheet.length = c.key_length; sheet.length_n = n]], "c sheet n" },
  },
  {
    on = "update_table_entries",
    does = {
      [[cell.pending = f.choose((f.first(c["entries.key.key_version[]"]) == K.NONE), cell.reads, 0); cell.reads = 0; cell.writes = (f.coalesce(cell.writes, 0) + 1); cell.writer = flow; cell.writer_n = n; view.seen = f.choose((view.seen ~= nil), cell.writes, nil)]],
      "c cell flow n view",
    },
  },
  {
    on = "setup_append",
    does = { [[writer.group = f.between(c.segment, "/_RG", "/")]], "c writer" },
  },
  { on = "conditional_append", guard = 59, does = { [[progress.moved_n = n]], "progress n" } },
  {
    on = "append_block_end",
    when = {
      [[(c.size_of_whole_events ~= nil and progress.size ~= nil and c.size_of_whole_events == progress.size)]],
      "c progress",
    },
    does = { [[progress.moved_n = n]], "progress n" },
  },
  {
    on = "conditional_append",
    guard = 60,
    when = {
      [[(f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= nil and f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= f.coalesce(progress.checkpoint, ""))]],
      "c progress",
    },
    does = {
      [[progress.initiated_chained = ((progress.initiated_times ~= nil and progress.initiated_times > 0) and (progress.initiated_latest_t ~= nil and (t - progress.initiated_latest_t) <= K.CHECKPOINT_PAUSE)); progress.initiated_second_n = f.choose(progress.initiated_chained, f.coalesce(progress.initiated_second_n, n), nil); progress.initiated_first_n = f.choose(progress.initiated_chained, progress.initiated_first_n, n); progress.initiated_times = f.choose(progress.initiated_chained, (progress.initiated_times ~= nil and (progress.initiated_times + 1) or nil), 1); progress.initiated_latest_t = t]],
      "progress t n",
    },
  },
  {
    on = "conditional_append append_block_end",
    when = { [[(progress.moved_n ~= nil and progress.moved_n == n)]], "progress n" },
    does = { [[progress.initiated_times = 0]], "progress" },
  },
  {
    on = "conditional_append",
    guard = 60,
    does = {
      [[progress.checkpoint = f.between(c["event raw"], "\000\009\000\001\000\000\000\000", ""); progress.size = (c["#event"] ~= nil and (c["#event"] + K.EVENT_HEAD) or nil)]],
      "c progress",
    },
  },
  {
    on = "controller_reader_group_configuration",
    does = {
      [[holding.manual_n = f.choose((c.automatic_checkpoint_interval_millis ~= nil and c.automatic_checkpoint_interval_millis < 0), n, nil); holding.group = c.reader_group_name]],
      "c holding n",
    },
  },
  {
    on = "conditional_append",
    guard = 61,
    does = {
      [[holding.joined_n = f.choose((holding.taken_n ~= nil), n, nil); holding.joined_t = f.choose((holding.taken_n ~= nil), f.coalesce(holding.joined_t, t), nil)]],
      "holding n t",
    },
  },
  {
    on = "conditional_append",
    guard = 62,
    does = {
      [[holding.taken_n = f.choose((f.between(f.between(c["event raw"], "\000\005\000\001\000\000\000\000", ""), "\000\005\000\001", "") ~= nil), n, holding.taken_n); holding.joined_t = nil]],
      "c holding n",
    },
  },
  { on = "conditional_append", guard = 63, does = { [[holding.joined_t = nil]], "holding" } },
  {
    on = "end:writer",
    does = {
      [[holding.cut = f.coalesce(holding.cut, f.choose((conn.start and conn.whole and conn.both), nil, 1))]],
      "holding conn",
    },
  },
  {
    on = "update_table_entries",
    guard = 28,
    does = {
      [[entrance.several = (((entrance.table ~= nil) and (entrance.table ~= nil and c.segment ~= nil and entrance.table ~= c.segment)) and 1 or entrance.several); entrance.table = c.segment; entrance.latest_n = n]],
      "c entrance n",
    },
  },
  {
    on = "read_segment",
    when = {
      [[((course.by_n ~= nil and entrance.latest_n ~= nil and course.by_n == entrance.latest_n) and (c.offset ~= nil and course.top ~= nil and c.offset > course.top))]],
      "c course entrance",
    },
    does = { [[course.top = c.offset; course.top_n = n]], "c course n" },
  },
  {
    on = "read_segment",
    when = {
      [[((course.by_n == nil) or (course.by_n ~= nil and entrance.latest_n ~= nil and course.by_n ~= entrance.latest_n))]],
      "course entrance",
    },
    does = {
      [[course.times = f.choose(((c.offset ~= nil and course.start ~= nil and c.offset <= course.start) and (c.offset ~= nil and course.top ~= nil and c.offset < course.top)), (f.coalesce(course.times, 0) + 1), 0); course.moved_n = f.choose((c.offset ~= nil and course.start ~= nil and c.offset > course.start), n, course.moved_n); course.start = c.offset; course.top = c.offset; course.top_n = n; course.by_n = entrance.latest_n]],
      "c course n entrance",
    },
  },
  {
    on = "conditional_append",
    guard = 61,
    when = { [[((writer.group ~= nil) and (f.coalesce(roster.readers, 0) == 0))]], "writer roster" },
    does = {
      [[roster.joined_chained = ((roster.joined_times ~= nil and roster.joined_times > 0) and (roster.joined_latest_t ~= nil and (t - roster.joined_latest_t) <= 10000000000.0)); roster.joined_second_n = f.choose(roster.joined_chained, f.coalesce(roster.joined_second_n, n), nil); roster.joined_first_n = f.choose(roster.joined_chained, roster.joined_first_n, n); roster.joined_times = f.choose(roster.joined_chained, (roster.joined_times ~= nil and (roster.joined_times + 1) or nil), 1); roster.joined_latest_t = t]],
      "roster t n",
    },
  },
  {
    on = "update_table_entries",
    guard = 28,
    when = { [[(f.coalesce(roster.readers, 0) == 0)]], "roster" },
    does = {
      [[roster.entered_chained = ((roster.entered_times ~= nil and roster.entered_times > 0) and (roster.entered_latest_t ~= nil and (t - roster.entered_latest_t) <= 10000000000.0)); roster.entered_second_n = f.choose(roster.entered_chained, f.coalesce(roster.entered_second_n, n), nil); roster.entered_first_n = f.choose(roster.entered_chained, roster.entered_first_n, n); roster.entered_times = f.choose(roster.entered_chained, (roster.entered_times ~= nil and (roster.entered_times + 1) or nil), 1); roster.entered_latest_t = t]],
      "roster t n",
    },
  },
  {
    on = "conditional_append",
    when = { [[(writer.group ~= nil)]], "writer" },
    does = {
      [[writer.change = ((f.between(c["event raw"], "\000\002\000\001\000\000\000\000", "") ~= nil) and 1 or ((f.between(c["event raw"], "\000\003\000\001\000\000\000\000", "") ~= nil) and -1 or 0)); roster.readers = (writer.change ~= nil and (f.coalesce(roster.readers, 0) + writer.change) or nil); roster.closed_t = nil; roster.joined_n = f.choose((writer.change == 1), n, roster.joined_n); roster.group = writer.group]],
      "c writer roster n",
    },
  },
  {
    on = "conditional_check_failed",
    when = { [[(writer.group ~= nil)]], "writer" },
    does = {
      [[roster.readers = (roster.readers ~= nil and writer.change ~= nil and (roster.readers - writer.change) or nil)]],
      "roster writer",
    },
  },
  {
    on = "update_table_entries",
    guard = 64,
    does = {
      [[roster.change = (((f.first(c["entries.key.key_version[]"]) == -1) and (f.between(f.first(c["entries.key.data raw[]"]), "17assigned_segments/", "") ~= nil)) and 1 or -1); roster.joined_n = f.choose((roster.change == 1), n, roster.joined_n); roster.group = f.between(c.segment, "/", "_kvtable/"); roster.changed_n = n; roster.closed_t = nil]],
      "c roster n",
    },
  },
  {
    on = "table_entries_updated",
    when = { [[(req.n ~= nil and roster.changed_n ~= nil and req.n == roster.changed_n)]], "req roster" },
    does = {
      [[roster.readers = (roster.change ~= nil and (f.coalesce(roster.readers, 0) + roster.change) or nil)]],
      "roster",
    },
  },
  { on = "end:writer end:table", does = { [[roster.closed_t = t]], "roster t" } },
  {
    on = "conditional_append",
    guard = 65,
    when = { [[(writer.group ~= nil)]], "writer" },
    does = {
      [[roster.released_chained = ((roster.released_times ~= nil and roster.released_times > 0) and (roster.released_latest_t ~= nil and (t - roster.released_latest_t) <= K.RELEASE_PAUSE)); roster.released_second_n = f.choose(roster.released_chained, f.coalesce(roster.released_second_n, n), nil); roster.released_first_n = f.choose(roster.released_chained, roster.released_first_n, n); roster.released_times = f.choose(roster.released_chained, (roster.released_times ~= nil and (roster.released_times + 1) or nil), 1); roster.released_latest_t = t]],
      "roster t n",
    },
  },
  {
    on = "setup_append",
    does = { [[writer.transaction = f.between(c.segment, "#transaction.", "")]], "c writer" },
  },
  {
    on = "append_block_end",
    when = {
      [[((writer.transaction ~= nil) and (writer.transaction ~= nil and writer.transaction ~= f.coalesce(spree.latest, "")))]],
      "writer spree",
    },
    does = {
      [[spree.alone = f.choose(((spree.events == 1) and (spree.latest_t ~= nil and (t - spree.latest_t) <= K.ALONE_PAUSE) and (f.has(spree.seen, writer.transaction) ~= nil and not f.has(spree.seen, writer.transaction))), (f.coalesce(spree.alone, 0) + 1), 0); spree.former_n = spree.latest_n; spree.events = 0]],
      "spree t writer",
    },
  },
  {
    on = "append_block_end",
    when = { [[(writer.transaction ~= nil)]], "writer" },
    does = {
      [[spree.events = (spree.events ~= nil and c.num_events ~= nil and (spree.events + c.num_events) or nil); spree.latest = writer.transaction; spree.latest_t = t; spree.latest_n = n; spree.seen = f.put(spree.seen, writer.transaction)]],
      "c spree writer t n",
    },
  },
  {
    on = "controller_scopes_request controller_streams_in_scope_request controller_streams_in_scope_with_tag_request controller_kv_tables_in_scope_request",
    does = { [[listing.rest_n = nil]], "listing" },
  },
  {
    on = "controller_scopes_response",
    guard = 66,
    does = {
      [=[listing.rest_n = n; listing.rest_t = t; listing.asked_n = req.n; listing.method = req.method; listing.names = c["#scopes"]]=],
      "c listing n t req",
    },
  },
  {
    on = "controller_streams_in_scope_response",
    guard = 67,
    does = {
      [=[listing.rest_n = n; listing.rest_t = t; listing.asked_n = req.n; listing.method = req.method; listing.names = c["#streams"]]=],
      "c listing n t req",
    },
  },
  {
    on = "controller_kv_tables_in_scope_response",
    guard = 68,
    does = {
      [=[listing.rest_n = n; listing.rest_t = t; listing.asked_n = req.n; listing.method = req.method; listing.names = c["#kvtables"]]=],
      "c listing n t req",
    },
  },
  {
    on = "controller_scopes_response",
    guard = 66,
    when = { [[(req.token == "")]], "req" },
    does = {
      [[listing.first_scopes_chained = ((listing.first_scopes_times ~= nil and listing.first_scopes_times > 0) and ((listing.first_scopes_latest_t ~= nil and (t - listing.first_scopes_latest_t) <= K.LISTED_PAUSE) and (listing.first_scopes_same ~= nil and listing.first_scopes_same == f.coalesce(c["continuation_token.token"], "")))); listing.first_scopes_second_n = f.choose(listing.first_scopes_chained, f.coalesce(listing.first_scopes_second_n, req.n), nil); listing.first_scopes_first_n = f.choose(listing.first_scopes_chained, listing.first_scopes_first_n, req.n); listing.first_scopes_times = f.choose(listing.first_scopes_chained, (listing.first_scopes_times ~= nil and (listing.first_scopes_times + 1) or nil), 1); listing.first_scopes_latest_t = t; listing.first_scopes_same = f.coalesce(c["continuation_token.token"], "")]],
      "c listing t req",
    },
  },
  {
    on = "controller_scopes_response",
    when = { [[(req.token ~= nil and req.token ~= "")]], "req" },
    does = { [[listing.first_scopes_times = 0]], "listing" },
  },
  {
    on = "controller_streams_in_scope_response",
    guard = 67,
    when = { [[(req.token == "")]], "req" },
    does = {
      [[listing.first_streams_chained = ((listing.first_streams_times ~= nil and listing.first_streams_times > 0) and ((listing.first_streams_latest_t ~= nil and (t - listing.first_streams_latest_t) <= K.LISTED_PAUSE) and (listing.first_streams_same ~= nil and listing.first_streams_same == f.coalesce(c["continuation_token.token"], "")))); listing.first_streams_second_n = f.choose(listing.first_streams_chained, f.coalesce(listing.first_streams_second_n, req.n), nil); listing.first_streams_first_n = f.choose(listing.first_streams_chained, listing.first_streams_first_n, req.n); listing.first_streams_times = f.choose(listing.first_streams_chained, (listing.first_streams_times ~= nil and (listing.first_streams_times + 1) or nil), 1); listing.first_streams_latest_t = t; listing.first_streams_same = f.coalesce(c["continuation_token.token"], "")]],
      "c listing t req",
    },
  },
  {
    on = "controller_streams_in_scope_response",
    when = { [[(req.token ~= nil and req.token ~= "")]], "req" },
    does = { [[listing.first_streams_times = 0]], "listing" },
  },
  {
    on = "controller_kv_tables_in_scope_response",
    guard = 68,
    when = { [[(req.token == "")]], "req" },
    does = {
      [[listing.first_tables_chained = ((listing.first_tables_times ~= nil and listing.first_tables_times > 0) and ((listing.first_tables_latest_t ~= nil and (t - listing.first_tables_latest_t) <= K.LISTED_PAUSE) and (listing.first_tables_same ~= nil and listing.first_tables_same == f.coalesce(c["continuation_token.token"], "")))); listing.first_tables_second_n = f.choose(listing.first_tables_chained, f.coalesce(listing.first_tables_second_n, req.n), nil); listing.first_tables_first_n = f.choose(listing.first_tables_chained, listing.first_tables_first_n, req.n); listing.first_tables_times = f.choose(listing.first_tables_chained, (listing.first_tables_times ~= nil and (listing.first_tables_times + 1) or nil), 1); listing.first_tables_latest_t = t; listing.first_tables_same = f.coalesce(c["continuation_token.token"], "")]],
      "c listing t req",
    },
  },
  {
    on = "controller_kv_tables_in_scope_response",
    when = { [[(req.token ~= nil and req.token ~= "")]], "req" },
    does = { [[listing.first_tables_times = 0]], "listing" },
  },
  {
    on = "controller_scopes_response",
    guard = 69,
    when = { [[(req.token ~= nil and req.token ~= "")]], "req" },
    does = {
      [[listing.same_scopes_chained = ((listing.same_scopes_times ~= nil and listing.same_scopes_times > 0) and ((listing.same_scopes_latest_t ~= nil and (t - listing.same_scopes_latest_t) <= K.LISTED_PAUSE) and (listing.same_scopes_same ~= nil and req.token ~= nil and listing.same_scopes_same == req.token))); listing.same_scopes_second_n = f.choose(listing.same_scopes_chained, f.coalesce(listing.same_scopes_second_n, req.n), nil); listing.same_scopes_first_n = f.choose(listing.same_scopes_chained, listing.same_scopes_first_n, req.n); listing.same_scopes_times = f.choose(listing.same_scopes_chained, (listing.same_scopes_times ~= nil and (listing.same_scopes_times + 1) or nil), 1); listing.same_scopes_latest_t = t; listing.same_scopes_same = req.token]],
      "listing t req",
    },
  },
  {
    on = "controller_streams_in_scope_response",
    guard = 70,
    when = { [[(req.token ~= nil and req.token ~= "")]], "req" },
    does = {
      [[listing.same_streams_chained = ((listing.same_streams_times ~= nil and listing.same_streams_times > 0) and ((listing.same_streams_latest_t ~= nil and (t - listing.same_streams_latest_t) <= K.LISTED_PAUSE) and (listing.same_streams_same ~= nil and req.token ~= nil and listing.same_streams_same == req.token))); listing.same_streams_second_n = f.choose(listing.same_streams_chained, f.coalesce(listing.same_streams_second_n, req.n), nil); listing.same_streams_first_n = f.choose(listing.same_streams_chained, listing.same_streams_first_n, req.n); listing.same_streams_times = f.choose(listing.same_streams_chained, (listing.same_streams_times ~= nil and (listing.same_streams_times + 1) or nil), 1); listing.same_streams_latest_t = t; listing.same_streams_same = req.token]],
      "listing t req",
    },
  },
  {
    on = "controller_kv_tables_in_scope_response",
    guard = 71,
    when = { [[(req.token ~= nil and req.token ~= "")]], "req" },
    does = {
      [[listing.same_tables_chained = ((listing.same_tables_times ~= nil and listing.same_tables_times > 0) and ((listing.same_tables_latest_t ~= nil and (t - listing.same_tables_latest_t) <= K.LISTED_PAUSE) and (listing.same_tables_same ~= nil and req.token ~= nil and listing.same_tables_same == req.token))); listing.same_tables_second_n = f.choose(listing.same_tables_chained, f.coalesce(listing.same_tables_second_n, req.n), nil); listing.same_tables_first_n = f.choose(listing.same_tables_chained, listing.same_tables_first_n, req.n); listing.same_tables_times = f.choose(listing.same_tables_chained, (listing.same_tables_times ~= nil and (listing.same_tables_times + 1) or nil), 1); listing.same_tables_latest_t = t; listing.same_tables_same = req.token]],
      "listing t req",
    },
  },
  {
    on = "controller_reader_group_configuration",
    does = {
      [[retainer.group = c.reader_group_name; retainer.made_n = n; retainer.made_t = t; retainer.manual = (((c.retention_type == 1) or ((c.retention_type == 2) and (c.automatic_checkpoint_interval_millis ~= nil and c.automatic_checkpoint_interval_millis < 0))) and 1 or nil)]],
      "c retainer n t",
    },
  },
  {
    on = "controller_subscriber_stream_cut",
    does = { [[retainer.released_n = n]], "retainer n" },
  },
  {
    on = "controller_subscriber_stream_cut",
    does = {
      [[subscribed_back.last = f.coalesce(f.first(c["stream_cut.cut.value[]"]), 0); subscribed_back.latest_n = n]],
      "c subscribed_back n",
    },
  },
  {
    on = "controller_stream_cut",
    guard = 25,
    does = {
      [[cut_back.last = f.coalesce(f.first(c["cut.value[]"]), 0); cut_back.latest_n = n]],
      "c cut_back n",
    },
  },
  {
    on = "controller_stream_config",
    does = {
      [[configured.retention = f.coalesce(c["retention_policy.retention_type"], 0); configured.scaling = f.coalesce(c["scaling_policy.scale_type"], 0); configured.by_n = n]],
      "c configured n",
    },
  },
  {
    on = "controller_stream_config",
    guard = 31,
    when = {
      [[((restated.user ~= nil and f.digest(c["carrier.message"]) ~= nil and restated.user ~= f.digest(c["carrier.message"])) and f.has(restated.users, f.digest(c["carrier.message"])))]],
      "c restated",
    },
    does = { [[restated.returns = (f.coalesce(restated.returns, 0) + 1)]], "restated" },
  },
  {
    on = "controller_stream_config",
    guard = 31,
    when = {
      [[(restated.user ~= nil and f.digest(c["carrier.message"]) ~= nil and restated.user ~= f.digest(c["carrier.message"]))]],
      "c restated",
    },
    does = { [[restated.former_n = restated.latest_n]], "restated" },
  },
  {
    on = "controller_stream_config",
    guard = 31,
    does = {
      [[restated.users = f.put(restated.users, f.digest(c["carrier.message"])); restated.user = f.digest(c["carrier.message"]); restated.latest_n = n]],
      "c restated n",
    },
  },
  {
    on = "controller_update_stream_status controller_delete_stream_status controller_delete_scope_status controller_delete_kv_table_status controller_delete_reader_group_status controller_update_reader_group_response controller_update_subscriber_status controller_create_reader_group_response controller_scale_response",
    guard = 72,
    does = {
      [[unchanged.chained = ((unchanged.times ~= nil and unchanged.times > 0) and ((unchanged.latest_t ~= nil and (t - unchanged.latest_t) <= K.CHANGE_PAUSE) and (unchanged.same ~= nil and c.status ~= nil and unchanged.same == c.status))); unchanged.slower = f.choose(unchanged.chained, (unchanged.slower ~= nil and (((unchanged.latest_t ~= nil and (t - unchanged.latest_t) > 0) and (unchanged.latest_t ~= nil and unchanged.gap ~= nil and ((t - unchanged.latest_t) * 10) >= (13 * unchanged.gap))) and 1 or 0) ~= nil and (unchanged.slower + (((unchanged.latest_t ~= nil and (t - unchanged.latest_t) > 0) and (unchanged.latest_t ~= nil and unchanged.gap ~= nil and ((t - unchanged.latest_t) * 10) >= (13 * unchanged.gap))) and 1 or 0)) or nil), 0); unchanged.gap = f.choose(unchanged.chained, (unchanged.latest_t ~= nil and (t - unchanged.latest_t) or nil), nil); unchanged.first_gap = f.choose(unchanged.chained, f.coalesce(unchanged.first_gap, (unchanged.latest_t ~= nil and (t - unchanged.latest_t) or nil)), nil); unchanged.second_n = f.choose(unchanged.chained, f.coalesce(unchanged.second_n, req.n), nil); unchanged.first_n = f.choose(unchanged.chained, unchanged.first_n, req.n); unchanged.times = f.choose(unchanged.chained, (unchanged.times ~= nil and (unchanged.times + 1) or nil), 1); unchanged.latest_t = t; unchanged.same = c.status]],
      "c unchanged t req",
    },
  },
  {
    on = "controller_update_stream_status controller_delete_stream_status controller_delete_scope_status controller_delete_kv_table_status controller_delete_reader_group_status controller_update_reader_group_response controller_update_subscriber_status controller_create_reader_group_response controller_scale_response",
    guard = 22,
    does = { [[unchanged.times = 0]], "unchanged" },
  },
  {
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    guard = 73,
    does = {
      [[not_created.chained = ((not_created.times ~= nil and not_created.times > 0) and ((not_created.latest_t ~= nil and (t - not_created.latest_t) <= K.CHANGE_PAUSE) and (not_created.same ~= nil and c.status ~= nil and not_created.same == c.status))); not_created.slower = f.choose(not_created.chained, (not_created.slower ~= nil and (((not_created.latest_t ~= nil and (t - not_created.latest_t) > 0) and (not_created.latest_t ~= nil and not_created.gap ~= nil and ((t - not_created.latest_t) * 10) >= (13 * not_created.gap))) and 1 or 0) ~= nil and (not_created.slower + (((not_created.latest_t ~= nil and (t - not_created.latest_t) > 0) and (not_created.latest_t ~= nil and not_created.gap ~= nil and ((t - not_created.latest_t) * 10) >= (13 * not_created.gap))) and 1 or 0)) or nil), 0); not_created.gap = f.choose(not_created.chained, (not_created.latest_t ~= nil and (t - not_created.latest_t) or nil), nil); not_created.first_gap = f.choose(not_created.chained, f.coalesce(not_created.first_gap, (not_created.latest_t ~= nil and (t - not_created.latest_t) or nil)), nil); not_created.second_n = f.choose(not_created.chained, f.coalesce(not_created.second_n, req.n), nil); not_created.first_n = f.choose(not_created.chained, not_created.first_n, req.n); not_created.times = f.choose(not_created.chained, (not_created.times ~= nil and (not_created.times + 1) or nil), 1); not_created.latest_t = t; not_created.same = c.status]],
      "c not_created t req",
    },
  },
  {
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    guard = 22,
    does = { [[not_created.times = 0]], "not_created" },
  },
  {
    on = "controller_segment_ranges",
    guard = 19,
    does = {
      [[without_segments.chained = ((without_segments.times ~= nil and without_segments.times > 0) and (without_segments.latest_t ~= nil and (t - without_segments.latest_t) <= K.CHANGE_PAUSE)); without_segments.slower = f.choose(without_segments.chained, (without_segments.slower ~= nil and (((without_segments.latest_t ~= nil and (t - without_segments.latest_t) > 0) and (without_segments.latest_t ~= nil and without_segments.gap ~= nil and ((t - without_segments.latest_t) * 10) >= (13 * without_segments.gap))) and 1 or 0) ~= nil and (without_segments.slower + (((without_segments.latest_t ~= nil and (t - without_segments.latest_t) > 0) and (without_segments.latest_t ~= nil and without_segments.gap ~= nil and ((t - without_segments.latest_t) * 10) >= (13 * without_segments.gap))) and 1 or 0)) or nil), 0); without_segments.gap = f.choose(without_segments.chained, (without_segments.latest_t ~= nil and (t - without_segments.latest_t) or nil), nil); without_segments.first_gap = f.choose(without_segments.chained, f.coalesce(without_segments.first_gap, (without_segments.latest_t ~= nil and (t - without_segments.latest_t) or nil)), nil); without_segments.second_n = f.choose(without_segments.chained, f.coalesce(without_segments.second_n, req.n), nil); without_segments.first_n = f.choose(without_segments.chained, without_segments.first_n, req.n); without_segments.times = f.choose(without_segments.chained, (without_segments.times ~= nil and (without_segments.times + 1) or nil), 1); without_segments.latest_t = t]],
      "without_segments t req",
    },
  },
  {
    on = "controller_delegation_token",
    guard = 34,
    does = {
      [[tokens.chained = ((tokens.times ~= nil and tokens.times > 0) and (tokens.latest_t ~= nil and (t - tokens.latest_t) <= K.TOKEN_PAUSE)); tokens.second_n = f.choose(tokens.chained, f.coalesce(tokens.second_n, req.n), nil); tokens.first_n = f.choose(tokens.chained, tokens.first_n, req.n); tokens.times = f.choose(tokens.chained, (tokens.times ~= nil and (tokens.times + 1) or nil), 1); tokens.latest_t = t]],
      "tokens t req",
    },
  },
  {
    on = "controller_create_reader_group_response",
    guard = 22,
    does = {
      [[grouped.chained = ((grouped.times ~= nil and grouped.times > 0) and (grouped.latest_t ~= nil and (t - grouped.latest_t) <= 60000000000.0)); grouped.second_n = f.choose(grouped.chained, f.coalesce(grouped.second_n, req.n), nil); grouped.first_n = f.choose(grouped.chained, grouped.first_n, req.n); grouped.times = f.choose(grouped.chained, (grouped.times ~= nil and (grouped.times + 1) or nil), 1); grouped.latest_t = t]],
      "grouped t req",
    },
  },
  { on = "controller_delete_reader_group_status", does = { [[grouped.times = 0]], "grouped" } },
  {
    on = "controller_scale_request",
    when = {
      [[(((scaling.way ~= nil and scaling.way > 0) and (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) < 0)) or ((scaling.way ~= nil and scaling.way < 0) and (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) > 0)))]],
      "c scaling",
    },
    does = {
      [[scaling.to_and_fro_chained = ((scaling.to_and_fro_times ~= nil and scaling.to_and_fro_times > 0) and (scaling.to_and_fro_latest_t ~= nil and (t - scaling.to_and_fro_latest_t) <= K.TURNED_PAUSE)); scaling.to_and_fro_second_n = f.choose(scaling.to_and_fro_chained, f.coalesce(scaling.to_and_fro_second_n, n), nil); scaling.to_and_fro_first_n = f.choose(scaling.to_and_fro_chained, scaling.to_and_fro_first_n, n); scaling.to_and_fro_times = f.choose(scaling.to_and_fro_chained, (scaling.to_and_fro_times ~= nil and (scaling.to_and_fro_times + 1) or nil), 1); scaling.to_and_fro_latest_t = t]],
      "scaling t n",
    },
  },
  {
    on = "controller_scale_request",
    when = {
      [[(((scaling.way ~= nil and scaling.way > 0) and (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) > 0)) or ((scaling.way ~= nil and scaling.way < 0) and (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) < 0)))]],
      "c scaling",
    },
    does = { [[scaling.to_and_fro_times = 0]], "scaling" },
  },
  {
    on = "controller_scale_request",
    does = {
      [[scaling.way = (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) or nil)]],
      "c scaling",
    },
  },
  {
    on = "controller_timestamp_from_writer",
    does = {
      [[times_noted.chained = ((times_noted.times ~= nil and times_noted.times > 0) and (times_noted.latest_t ~= nil and (t - times_noted.latest_t) <= K.TIMES_PAUSE)); times_noted.second_n = f.choose(times_noted.chained, f.coalesce(times_noted.second_n, n), nil); times_noted.first_n = f.choose(times_noted.chained, times_noted.first_n, n); times_noted.times = f.choose(times_noted.chained, (times_noted.times ~= nil and (times_noted.times + 1) or nil), 1); times_noted.latest_t = t]],
      "times_noted t n",
    },
  },
  {
    on = "controller_timestamp_from_writer",
    when = { [[(c.writer ~= nil and f.coalesce(timed.by, "") ~= c.writer)]], "c timed" },
    does = {
      [[timed.other = timed.by; timed.other_n = timed.by_n; timed.other_t = timed.by_t; timed.alone = 0]],
      "timed",
    },
  },
  {
    on = "controller_timestamp_from_writer",
    does = {
      [[timed.by = c.writer; timed.by_n = n; timed.by_t = t; timed.alone = (f.coalesce(timed.alone, 0) + 1)]],
      "c timed n t",
    },
  },
  {
    on = "controller_remove_writer_request",
    when = { [[(c.writer ~= nil and timed.other ~= nil and c.writer == timed.other)]], "c timed" },
    does = { [[timed.other = nil]], "timed" },
  },
  {
    on = "controller_remove_writer_request",
    when = { [[(c.writer ~= nil and timed.by ~= nil and c.writer == timed.by)]], "c timed" },
    does = { [[timed.by = nil; timed.alone = 0]], "timed" },
  },
  {
    on = "controller_timestamp_from_writer",
    when = { [[(c.timestamp ~= nil and c.timestamp > f.coalesce(timed.top, 0))]], "c timed" },
    does = { [[timed.top = c.timestamp; timed.top_n = n; timed.writer = c.writer]], "c timed n" },
  },
  {
    on = "append_block_end",
    when = { [[(writer.transaction ~= nil)]], "writer" },
    does = { [[author.wrote_n = n; author.seen_n = n]], "author n" },
  },
  { on = "controller_create_txn_request", does = { [[author.wrote_n = nil]], "author" } },
  {
    on = "controller_txn_request",
    guard = 74,
    when = {
      [[((author.asked_n ~= nil and lease.opened_n ~= nil and author.asked_n == lease.opened_n) and (author.wrote_n == nil) and (author.seen_n ~= nil))]],
      "author lease",
    },
    does = {
      [[author.empty_chained = ((author.empty_times ~= nil and author.empty_times > 0) and (author.empty_latest_t ~= nil and (t - author.empty_latest_t) <= K.EMPTY_PAUSE)); author.empty_second_n = f.choose(author.empty_chained, f.coalesce(author.empty_second_n, n), nil); author.empty_first_n = f.choose(author.empty_chained, author.empty_first_n, n); author.empty_times = f.choose(author.empty_chained, (author.empty_times ~= nil and (author.empty_times + 1) or nil), 1); author.empty_latest_t = t]],
      "author t n",
    },
  },
  {
    on = "append_block_end",
    when = { [[(writer.transaction ~= nil)]], "writer" },
    does = { [[author.empty_times = 0]], "author" },
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
    name = "echo",
    of = "conn",
    on = "client:keep_alive",
    clear = "server:keep_alive tcp.close tcp.reset",
    limit = { [[K.ECHO]] },
    when = { [[(S.high ~= nil and S.high >= 16)]], "S" },
  },
}

local BURSTS = {
  {
    name = "refused_token",
    on = "auth_token_check_failed",
    window = 10000000000,
    limit = 5,
    key = { [[flow]], "flow" },
  },
  {
    name = "wrong_host",
    on = "wrong_host",
    window = 10000000000,
    limit = 5,
    key = { [[f.key(flow, c.segment)]], "c flow" },
  },
  {
    name = "end_again",
    on = "segment_read",
    window = 10000000000,
    limit = 5,
    key = { [[f.key(f.key(flow, c.segment), c.offset)]], "c flow" },
    guard = 75,
  },
  {
    name = "again",
    on = "setup_append",
    window = 60000000000,
    limit = 3,
    key = { [[f.key(flow, c.writer_id)]], "c flow" },
    when = { [[(writer.again == 1)]], "writer" },
  },
  {
    name = "in_vain",
    on = "end:writer",
    window = 60000000000,
    limit = 3,
    key = { [[f.key(f.key(writer.id, writer.segment), writer.acked)]], "writer" },
    when = {
      [[((writer.ready_n ~= nil) and (writer.appends == 0) and (why == "closed") and (conn.finished == 1) and (conn.dropped == nil))]],
      "writer why conn",
    },
  },
}

local RULES = {
  {
    id = "PRV-P1",
    name = "prv_p1",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "First client command is not HELLO",
    on = "client:any",
    needs = { "start", "whole" },
    of = "conn",
    fixed = { [[((not LISTS[8][name]) and (not f.starts(name, "controller_")))]], "name" },
    when = { [[((conn.state == "absent") and (dialect == ""))]], "conn dialect" },
    says = { [[f.say("the client's first command is %s, not HELLO", name)]], "name" },
    cause = "The client omits the handshake; servers answer it all the same.",
  },
  {
    id = "PRV-P50",
    name = "prv_p50",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Bytes of another protocol instead of the Pravega wire protocol",
    problem = { foreign = true },
    needs = { "both" },
    of = "conn",
    again = true,
    says = {
      [[f.say("the %s does not speak the Pravega wire protocol: %s", sender, f.whole(problem_text))]],
      "sender problem_text",
    },
    by = {
      [[(f.starts(problem_text, "these bytes are TLS") and "tls" or (f.starts(problem_text, "these bytes are HTTP") and "http" or "other"))]],
      "problem_text",
    },
    causes = {
      tls = "TLS is sent to a port without TLS.",
      http = "HTTP, such as a call to the controller, is sent to a segment store.",
    },
  },
  {
    id = "PRV-P2",
    name = "prv_p2",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Wire protocol versions that do not overlap",
    on = "server:hello",
    needs = { "start" },
    of = "conn",
    when = {
      [[((C.low ~= nil and c.high_version ~= nil and C.low > c.high_version) or (c.low_version ~= nil and C.high ~= nil and c.low_version > C.high))]],
      "c C",
    },
    says = {
      [[f.say("the server supports versions %s to %s, the client %s to %s", c.low_version, c.high_version, C.low, C.high)]],
      "c C",
    },
    cause = "The releases of client and server are too far apart.",
  },
  {
    id = "PRV-P3",
    name = "prv_p3",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Bytes outside any command",
    on = "tcp.resync",
    evidence = { [[f.first_known(me.last_n)]], "me" },
    needs = { "start" },
    of = "conn",
    guard = 76,
    when = { [[(conn.whole and (me.last_n ~= nil))]], "conn me" },
    says = {
      [[f.say("%s not part of any command: %s", f.counted(c.skipped, "byte", "bytes"), f.whole(c.reason))]],
      "c",
    },
    cause = "A length is wrong, or several threads write and mix the bytes of two commands: the next command does not start where it should.",
  },
  {
    id = "PRV-P3b",
    name = "prv_p3b",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Impossible command length",
    problem = { claim = true, length = true },
    needs = { "whole" },
    of = "conn",
    when = { [[(problem_field == nil)]], "problem_field" },
    says = {
      [[f.say("a command of %s has an impossible length: %s", f.size(size), f.whole(problem_text))]],
      "size problem_text",
    },
  },
  {
    id = "PRV-P34",
    name = "prv_p34",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Command too large for its receiver",
    on = "any",
    needs = {},
    of = "conn",
    when = {
      [[((peer.high ~= nil and peer.high < 9) and (size ~= nil and (size - 8) > K.LARGEST_BEFORE))]],
      "peer size",
    },
    says = {
      [[f.say("%s has %s bytes; peers of version %s accept %s", name, (size ~= nil and (size - 8) or nil), peer.high, K.LARGEST_BEFORE)]],
      "name size peer",
    },
    cause = "The client sizes its appends by the limit of a newer release.",
  },
  {
    id = "PRV-P4",
    name = "prv_p4",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Unknown command type",
    problem = { unknown_key = true },
    needs = {},
    of = "conn",
    says = { [[f.say("no command has the type code %s", key)]], "key" },
    cause = "The peer runs a newer release, or these bytes do not start a command; servers close the connection.",
  },
  {
    id = "PRV-P35",
    name = "prv_p35",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Command too new or too old for its receiver",
    on = "any",
    needs = {},
    of = "conn",
    when = {
      [[((peer.high ~= nil and f.lookup(key, K.SINCE) ~= nil and peer.high < f.lookup(key, K.SINCE)) or ((peer.high ~= nil and peer.high >= 5) and LISTS[10][key]) or ((peer.high ~= nil and peer.high >= 14) and LISTS[11][key]))]],
      "peer key",
    },
    says = { [[f.say("a peer of version %s does not know %s", peer.high, name)]], "peer name" },
    cause = "The sender assumes its own release: the receiver closes the connection.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:read_segment",
    needs = {},
    of = "conn",
    guard = 77,
    when = { [[(peer.high ~= nil and peer.high < 8)]], "peer" },
    says = {
      [[f.say("%s has the field request_id, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_2",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:conditional_append",
    needs = {},
    of = "conn",
    guard = 77,
    when = { [[(peer.high ~= nil and peer.high < 8)]], "peer" },
    says = {
      [[f.say("%s has the field request_id, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_3",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:create_segment",
    needs = {},
    of = "conn",
    guard = 78,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field rollover_size_bytes, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_4",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:create_table_segment",
    needs = {},
    of = "conn",
    guard = 79,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field sorted, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_5",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:merge_segments",
    needs = {},
    of = "conn",
    guard = 80,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field attribute_updates, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_6",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:update_table_entries",
    needs = {},
    of = "conn",
    guard = 81,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field table_segment_offset, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_7",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:remove_table_keys",
    needs = {},
    of = "conn",
    guard = 81,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field table_segment_offset, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_8",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:read_table_keys",
    needs = {},
    of = "conn",
    guard = 82,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field prefix_filter, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P45",
    name = "prv_p45_9",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Field too new for its receiver",
    on = "client:read_table_entries",
    needs = {},
    of = "conn",
    guard = 82,
    when = { [[(peer.high ~= nil and peer.high < 9)]], "peer" },
    says = {
      [[f.say("%s has the field prefix_filter, which no server of version %s knows", name, peer.high)]],
      "name peer",
    },
    cause = "The client writes the layout of its own release. Servers up to 0.5 close the connection; later ones skip what they do not know.",
  },
  {
    id = "PRV-P36",
    name = "prv_p36",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Command sent in the wrong direction",
    on = "client:append_setup client:auth_token_check_failed client:conditional_check_failed client:data_appended client:error_message client:flushed_to_storage client:invalid_event_number client:no_such_segment client:no_such_transaction client:offset_located client:operation_unsupported client:segment_already_exists client:segment_attribute client:segment_attribute_updated client:segment_created client:segment_deleted client:segment_is_sealed client:segment_is_truncated client:segment_policy_updated client:segment_read client:segment_sealed client:segment_truncated client:segments_batch_merged client:segments_merged client:storage_chunks_listed client:stream_segment_info client:table_entries_delta_read client:table_entries_read client:table_entries_updated client:table_key_bad_version client:table_key_does_not_exist client:table_keys_read client:table_keys_removed client:table_read client:table_segment_info client:table_segment_not_empty client:transaction_aborted client:transaction_committed client:transaction_created client:transaction_info client:wrong_host server:abort_transaction server:append_block server:append_block_end server:commit_transaction server:conditional_append server:conditional_block_end server:create_segment server:create_table_segment server:create_transaction server:create_transient_segment server:delete_segment server:delete_table_segment server:event server:flush_to_storage server:get_segment_attribute server:get_stream_segment_info server:get_table_segment_info server:get_transaction_info server:list_storage_chunks server:locate_offset server:merge_segments server:merge_segments_batch server:merge_table_segments server:padding server:partial_event server:read_segment server:read_table server:read_table_entries server:read_table_entries_delta server:read_table_keys server:remove_table_keys server:seal_segment server:seal_table_segment server:setup_append server:truncate_segment server:update_segment_attribute server:update_segment_policy server:update_table_entries",
    needs = { "start", "whole" },
    of = "conn",
    says = {
      [[f.say("%s was sent by the %s, but belongs to the other side", name, sender)]],
      "name sender",
    },
    cause = "Requests and replies have different type codes: one was used for the other.",
  },
  {
    id = "PRV-P5",
    name = "prv_p5",
    severity = "WARN",
    group = "MALFORMED",
    title = "Trailing bytes after the last field of a command",
    problem = { trailing = true },
    needs = {},
    of = "conn",
    says = {
      [[f.say("%s follow the last field of %s", f.counted(problem_length, "byte", "bytes"), name)]],
      "problem_length name",
    },
    cause = "The peer may run a newer release; releases up to 0.5 take these bytes for the next command.",
  },
  {
    id = "PRV-P6",
    name = "prv_p6",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append without SETUP_APPEND",
    on = "append_block append_block_end conditional_append conditional_block_end begin_append_block end_append_block",
    needs = { "start", "whole", "both" },
    of = "writer",
    when = { [[(writer.state == "absent")]], "writer" },
    says = { [[f.say("%s for a writer that was never set up on this connection", name)]], "name" },
    cause = "The client continues to use a writer on a new connection without sending SETUP_APPEND.",
  },
  {
    id = "PRV-P6b",
    name = "prv_p6b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append after a refused SETUP_APPEND",
    on = "append_block append_block_end conditional_append conditional_block_end begin_append_block end_append_block",
    needs = { "object", "both" },
    of = "writer",
    when = { [[(writer.state == "denied")]], "writer" },
    says = {
      [[f.say("%s for a writer whose SETUP_APPEND for %s was refused", name, writer.segment)]],
      "name writer",
    },
    cause = "The client ignores the reply to SETUP_APPEND; the server closes the connection.",
  },
  {
    id = "PRV-P6c",
    name = "prv_p6c",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append before the answer to SETUP_APPEND",
    on = "append_block append_block_end conditional_append conditional_block_end",
    needs = { "object", "both" },
    of = "writer",
    when = { [[(writer.state == "asked")]], "writer" },
    says = {
      [[f.say("%s for %s was sent before APPEND_SETUP came", name, writer.segment)]],
      "name writer",
    },
    cause = "The client does not wait for the reply to SETUP_APPEND, which says what is stored: the server does not know the writer yet, and closes the connection.",
  },
  {
    id = "PRV-P7",
    name = "prv_p7",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append block interrupted by another command or writer",
    on = "client:any",
    needs = { "whole" },
    of = "conn",
    when = {
      [[((C.block_n ~= nil) and ((not LISTS[12][name]) or ((name == "append_block_end") and (c.writer_id ~= nil and C.block_writer ~= nil and c.writer_id ~= C.block_writer))))]],
      "c C name",
    },
    says = { [[f.say("%s was sent before the end of an append block", name)]], "name" },
    cause = "The client sends other commands while it is still filling a block.",
    by = { [[((name == "append_block_end") and "writer" or "other")]], "name" },
    causes = { writer = "The client mixes up the writers of a connection." },
  },
  {
    id = "PRV-P8",
    name = "prv_p8",
    severity = "ERROR",
    group = "REASSEMBLE",
    title = "APPEND_BLOCK_END that does not match its block",
    on = "append_block_end",
    needs = { "whole" },
    of = "conn",
    when = {
      [[((C.block_n ~= nil) and (C.block_writer ~= nil and c.writer_id ~= nil and C.block_writer == c.writer_id))]],
      "c C",
    },
    finds = {
      [[f.predicates.misfits("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = {
      [[f.say("APPEND_BLOCK_END with %s of data does not match its block of %s: %s", f.counted(c["#data"], "byte", "bytes"), f.counted(f.len(C.block), "byte", "bytes"), f.whole(found))]],
      "c C found",
    },
    cause = "The client miscounts the block: its size is smaller than the events, or the padding is not padding.",
  },
  {
    id = "PRV-P8b",
    name = "prv_p8b",
    severity = "ERROR",
    group = "REASSEMBLE",
    title = "Block size in APPEND_BLOCK_END without a preceding block",
    on = "append_block_end",
    needs = { "start", "whole" },
    of = "writer",
    guard = 83,
    when = { [[(C.block_n == nil)]], "C" },
    says = {
      [[f.say("APPEND_BLOCK_END ends a block with %s of events, but no APPEND_BLOCK precedes it", f.counted(c.size_of_whole_events, "byte", "bytes"))]],
      "c",
    },
    cause = "The client leaves out the block, or ends it twice: the events are lost.",
  },
  {
    id = "PRV-P61",
    name = "prv_p61",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Lowest version above the highest in HELLO",
    on = "hello",
    needs = {},
    of = "conn",
    guard = 84,
    says = { [[f.say("HELLO offers versions %s to %s", c.low_version, c.high_version)]], "c" },
    cause = "The two versions are mixed up.",
  },
  {
    id = "PRV-P62",
    name = "prv_p62",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Second HELLO on a connection",
    on = "client:hello",
    needs = {},
    of = "conn",
    when = { [[(C.hello_n ~= nil)]], "C" },
    says = { [[f.say("HELLO was sent again on a connection that has begun in frame %s", C.hello_n)]], "C" },
    cause = "The client begins anew without a new connection.",
  },
  {
    id = "PRV-P63",
    name = "prv_p63",
    severity = "WARN",
    group = "PROTOCOL",
    title = "READ_SEGMENT with a negative offset or no suggested length",
    on = "read_segment",
    needs = {},
    of = "conn",
    guard = 85,
    says = {
      [[f.say("READ_SEGMENT asks for %s bytes at offset %s of %s", c.suggested_length, c.offset, c.segment)]],
      "c",
    },
    cause = "The client computes its offset or the room in its buffer wrongly.",
  },
  {
    id = "PRV-P63b",
    name = "prv_p63b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Page of a table with no suggested number of keys or entries",
    on = "read_table_keys",
    needs = {},
    of = "conn",
    guard = 86,
    says = { [[f.say("%s asks for %s of %s", name, c.suggested_key_count, c.segment)]], "c name" },
    cause = "The client leaves out how many it wants at once.",
  },
  {
    id = "PRV-P63b",
    name = "prv_p63b_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Page of a table with no suggested number of keys or entries",
    on = "read_table_entries read_table_entries_delta",
    needs = {},
    of = "conn",
    guard = 87,
    says = { [[f.say("%s asks for %s of %s", name, c.suggested_entry_count, c.segment)]], "c name" },
    cause = "The client leaves out how many it wants at once.",
  },
  {
    id = "PRV-P63c",
    name = "prv_p63c",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "READ_SEGMENT that asks for more than a store returns",
    on = "read_segment",
    needs = {},
    of = "conn",
    again = true,
    guard = 88,
    says = {
      [[f.say("READ_SEGMENT asks for %s at offset %s of %s", f.size(c.suggested_length), c.offset, c.segment)]],
      "c",
    },
    cause = "Segment stores return 2 MiB at most: the client has to read again for the rest, and reserves memory for nothing.",
  },
  {
    id = "PRV-P78",
    name = "prv_p78",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table request for no keys at all",
    on = "read_table remove_table_keys",
    needs = {},
    of = "conn",
    guard = 89,
    says = { [[f.say("%s for %s has no keys", name, c.segment)]], "c name" },
    cause = "The client sends a request although its list is empty: it costs a round trip.",
  },
  {
    id = "PRV-P78b",
    name = "prv_p78b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table update without entries",
    on = "update_table_entries",
    needs = {},
    of = "conn",
    guard = 2,
    says = { [[f.say("%s for %s has no entries", name, c.segment)]], "c name" },
    cause = "The client sends a request although its list is empty: it costs a round trip.",
  },
  {
    id = "PRV-P49",
    name = "prv_p49",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "APPEND_BLOCK_END without APPEND_BLOCK",
    on = "append_block_end",
    needs = { "start", "whole" },
    of = "writer",
    when = { [[((C.block_n == nil) and (S.high ~= nil and S.high < 9))]], "C S" },
    says = {
      [[f.say("%s carries the whole append, which no server of version %s accepts", name, S.high)]],
      "name S",
    },
    cause = "Servers up to 0.5 close the connection. The Rust client (Python, Node, Go) does so.",
  },
  {
    id = "PRV-P9",
    name = "prv_p9",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Append without events",
    on = "append_block_end",
    needs = {},
    of = "writer",
    guard = 90,
    says = { [[f.say("the append declares %s", f.counted(c.num_events, "event", "events"))]], "c" },
    cause = "The client miscounts its events.",
  },
  {
    id = "PRV-P33",
    name = "prv_p33",
    severity = "WARN",
    group = "PROTOCOL",
    title = "More events in an append than declared",
    on = "append_block_end",
    needs = { "whole" },
    of = "writer",
    guard = 91,
    finds = {
      [[f.predicates.is_miscounted("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = {
      [[f.say("the append declares %s but contains %s", f.counted(c.num_events, "event", "events"), f.whole(found))]],
      "c found",
    },
    cause = "The client miscounts its events. Fewer are not a mistake: an empty append counts as one.",
  },
  {
    id = "PRV-P33b",
    name = "prv_p33b",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Event length beyond the end of its append",
    on = "append_block_end",
    needs = { "whole" },
    of = "writer",
    guard = 91,
    finds = {
      [[f.predicates.has_long_event("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = {
      [[f.say("the last event of an append to %s has a length of %s in the append", writer.segment, f.whole(found))]],
      "writer found",
    },
    cause = "The length in the event's header is wrong: readers take the events that follow for a part of it, or wait for its end.",
  },
  {
    id = "PRV-P11",
    name = "prv_p11",
    severity = "WARN",
    group = "REASSEMBLE",
    title = "PARTIAL_EVENT that does not match the rest of its event",
    on = "append_block_end",
    needs = { "whole" },
    of = "writer",
    when = {
      [[((C.block_n ~= nil) and (C.block_writer ~= nil and c.writer_id ~= nil and C.block_writer == c.writer_id))]],
      "c C",
    },
    finds = {
      [[f.predicates.is_torn("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = {
      [[f.say("PARTIAL_EVENT and the %s bytes of APPEND_BLOCK_END do not form an event", c["#data"])]],
      "c",
    },
    cause = "The client splits an event where its block is full, and loses or repeats bytes of it.",
  },
  {
    id = "PRV-P10",
    name = "prv_p10",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Decreasing event numbers",
    on = "append_block_end",
    needs = { "object" },
    of = "writer",
    when = {
      [[((c.last_event_number ~= nil and writer.sent ~= nil and c.last_event_number <= writer.sent) and (writer.sent_n ~= nil))]],
      "c writer",
    },
    says = { [[f.say("event %s was sent after %s", c.last_event_number, writer.sent)]], "c writer" },
    cause = "The client resends events on a connection without setting the writer up again; the server closes the connection.",
  },
  {
    id = "PRV-P10b",
    name = "prv_p10b",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "First event number not above that of APPEND_SETUP",
    on = "append_block_end",
    needs = { "object", "both" },
    of = "writer",
    when = {
      [[((writer.sent_n == nil) and (writer.acked ~= nil and writer.acked > K.NONE) and (c.last_event_number ~= nil and writer.acked ~= nil and c.last_event_number <= writer.acked))]],
      "c writer",
    },
    says = {
      [[f.say("the writer of %s begins with event %s, although APPEND_SETUP says that %s is stored", writer.segment, c.last_event_number, writer.acked)]],
      "c writer",
    },
    cause = "The client keeps its writer id and numbers its events anew, or does not read APPEND_SETUP: the server takes the events for those that it has, and closes the connection.",
  },
  {
    id = "PRV-P12",
    name = "prv_p12",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Acknowledged event number out of range",
    on = "data_appended",
    needs = { "object", "both" },
    of = "writer",
    when = {
      [[((c.event_number ~= nil and writer.sent ~= nil and c.event_number > writer.sent) or (c.event_number ~= nil and writer.acked ~= nil and c.event_number < writer.acked) or (c.previous_event_number ~= nil and writer.acked ~= nil and c.previous_event_number > writer.acked))]],
      "c writer",
    },
    says = {
      [[f.say("%s was acknowledged, although %s was sent last and %s was already stored", c.event_number, writer.sent, writer.acked)]],
      "c writer",
    },
  },
  {
    id = "PRV-P13",
    name = "prv_p13",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Unacknowledged events at the end of a connection",
    on = "end:writer",
    evidence = { [[f.first_known(writer.sent_n)]], "writer" },
    needs = { "object", "both" },
    of = "writer",
    again = true,
    when = {
      [[((writer.sent ~= nil and writer.acked ~= nil and writer.sent > writer.acked) and (writer.acked ~= nil and writer.acked > K.NONE) and LISTS[2][why])]],
      "writer why",
    },
    says = {
      [[f.say("event %s was sent, but %s is the last one acknowledged", writer.sent, writer.acked)]],
      "writer",
    },
    cause = "The connection ended before the server had acknowledged the events.",
  },
  {
    id = "PRV-P13",
    name = "prv_p13_2",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Unacknowledged events at the end of a connection",
    on = "end:writer",
    evidence = { [[f.first_known(writer.sent_n)]], "writer" },
    needs = { "object", "both" },
    of = "writer",
    again = true,
    when = {
      [[((writer.sent ~= nil and writer.acked ~= nil and writer.sent > writer.acked) and (writer.acked == K.NONE) and LISTS[2][why])]],
      "writer why",
    },
    says = { [[f.say("event %s was sent, but none was acknowledged", writer.sent)]], "writer" },
    cause = "The connection ended before the server had acknowledged the events.",
  },
  {
    id = "PRV-P14",
    name = "prv_p14",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered SETUP_APPEND",
    on = "unanswered:set_up unanswered:drafted",
    evidence = { [[f.first_known(req.n)]], "req" },
    needs = { "both", "whole" },
    of = "conn",
    when = {
      [[(req.asked_t ~= nil and ((why == "end") and K.UNSTORED or K.ANSWER_LATE) ~= nil and t > (req.asked_t + ((why == "end") and K.UNSTORED or K.ANSWER_LATE)))]],
      "req why t",
    },
    says = {
      [[f.say("the server did not answer the set-up of a writer for %s within %s", req.segment, f.time((req.asked_t ~= nil and (t - req.asked_t) or nil)))]],
      "req t",
    },
    cause = "The container of the segment is moving or overloaded; a client without a time limit for the set-up waits and writes nothing.",
  },
  {
    id = "PRV-P15",
    name = "prv_p15",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Reply without a request",
    on = "server:flushed_to_storage server:offset_located server:segment_attribute server:segment_attribute_updated server:segment_created server:segment_deleted server:segment_policy_updated server:segment_sealed server:segment_truncated server:segments_batch_merged server:segments_merged server:storage_chunks_listed server:stream_segment_info server:table_entries_delta_read server:table_entries_read server:table_entries_updated server:table_keys_read server:table_keys_removed server:table_read server:table_segment_info server:transaction_aborted server:transaction_committed server:transaction_created server:transaction_info server:append_setup",
    needs = { "whole", "both", "start" },
    of = "conn",
    when = { [[(orphan and (dialect == ""))]], "orphan dialect" },
    says = {
      [[f.say("%s has request id %s, for which no request is open", name, c.request_id)]],
      "c name",
    },
  },
  {
    id = "PRV-P37",
    name = "prv_p37",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Reply of the wrong type",
    on = "flushed_to_storage offset_located segment_attribute segment_attribute_updated segment_created segment_deleted segment_policy_updated segment_sealed segment_truncated segments_batch_merged segments_merged storage_chunks_listed stream_segment_info table_entries_delta_read table_entries_read table_entries_updated table_keys_read table_keys_removed table_read table_segment_info transaction_aborted transaction_committed transaction_created transaction_info",
    needs = {},
    of = "conn",
    when = {
      [[(((req.asked == "flush_to_storage") and (not LISTS[13][name])) or ((req.asked == "list_storage_chunks") and (not LISTS[14][name])) or ((req.asked == "get_stream_segment_info") and (not LISTS[15][name])) or ((req.asked == "get_transaction_info") and (not LISTS[16][name])) or ((req.asked == "create_segment") and (not LISTS[17][name])) or ((req.asked == "create_transient_segment") and (not LISTS[17][name])) or ((req.asked == "create_table_segment") and (not LISTS[17][name])) or ((req.asked == "create_transaction") and (not LISTS[18][name])) or ((req.asked == "commit_transaction") and (not LISTS[19][name])) or ((req.asked == "abort_transaction") and (not LISTS[20][name])) or ((req.asked == "seal_segment") and (not LISTS[21][name])) or ((req.asked == "seal_table_segment") and (not LISTS[21][name])) or ((req.asked == "delete_segment") and (not LISTS[22][name])) or ((req.asked == "delete_table_segment") and (not LISTS[22][name])) or ((req.asked == "update_segment_policy") and (not LISTS[23][name])) or ((req.asked == "get_segment_attribute") and (not LISTS[24][name])) or ((req.asked == "update_segment_attribute") and (not LISTS[25][name])) or ((req.asked == "truncate_segment") and (not LISTS[26][name])) or ((req.asked == "locate_offset") and (not LISTS[27][name])) or ((req.asked == "merge_segments") and (not LISTS[28][name])) or ((req.asked == "merge_table_segments") and (not LISTS[29][name])) or ((req.asked == "merge_segments_batch") and (not LISTS[30][name])) or ((req.asked == "get_table_segment_info") and (not LISTS[31][name])) or ((req.asked == "update_table_entries") and (not LISTS[32][name])) or ((req.asked == "remove_table_keys") and (not LISTS[33][name])) or ((req.asked == "read_table") and (not LISTS[34][name])) or ((req.asked == "read_table_keys") and (not LISTS[35][name])) or ((req.asked == "read_table_entries") and (not LISTS[36][name])) or ((req.asked == "read_table_entries_delta") and (not LISTS[37][name])))]],
      "req name",
    },
    says = { [[f.say("%s was answered with %s", req.asked, name)]], "req name" },
    cause = "Two requests share an id.",
  },
  {
    id = "PRV-P15",
    name = "prv_p15_2",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Reply without a request",
    on = "server:append_setup",
    needs = { "whole", "both", "start" },
    of = "conn",
    when = { [[(orphan and (dialect ~= nil and dialect ~= ""))]], "orphan dialect" },
    says = { [[f.say("%s for %s has no open request", name, c.segment)]], "c name" },
  },
  {
    id = "PRV-P16",
    name = "prv_p16",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "SEGMENT_READ for an offset that was not requested",
    on = "segment_read",
    needs = { "whole", "both", "start" },
    of = "conn",
    when = { [[(orphan and (dialect == ""))]], "orphan dialect" },
    says = {
      [[f.say("%s was returned from offset %s, which no request asked for", c.segment, c.offset)]],
      "c",
    },
  },
  {
    id = "PRV-P38",
    name = "prv_p38",
    severity = "CHAT",
    group = "SEQUENCE",
    title = "Read that does not continue the previous one",
    on = "read_segment",
    needs = { "object", "whole", "both" },
    of = "reader",
    when = { [[(c.offset ~= nil and reader.reached ~= nil and c.offset ~= reader.reached)]], "c reader" },
    says = {
      [[f.say("%s is read from offset %s, but the previous bytes end at %s", c.segment, c.offset, reader.reached)]],
      "c reader",
    },
    cause = "A reader that seeks does this; otherwise bytes are read twice or skipped.",
  },
  {
    id = "PRV-P17",
    name = "prv_p17",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Empty read in the middle of a segment",
    on = "segment_read",
    needs = {},
    of = "input",
    guard = 92,
    says = {
      [[f.say("the read of %s at offset %s returned no bytes, although neither the tail nor the end is reached", c.segment, c.offset)]],
      "c",
    },
  },
  {
    id = "PRV-P18",
    name = "prv_p18",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Read past the end of a segment",
    on = "read_segment",
    needs = { "object" },
    of = "input",
    when = {
      [[((input.ended_at_n ~= nil) and (c.offset ~= nil and input["end"] ~= nil and c.offset >= input["end"]))]],
      "c input",
    },
    says = {
      [[f.say("%s ends at %s, but is read at offset %s", c.segment, input["end"], c.offset)]],
      "c input",
    },
    cause = "The client ignores the end of the segment.",
  },
  {
    id = "PRV-P19",
    name = "prv_p19",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append to a sealed segment",
    on = "append_block_end conditional_append conditional_block_end",
    needs = { "object" },
    of = "writer",
    when = {
      [[((writer.state == "sealed") and ((writer.sealed_t ~= nil and t > (writer.sealed_t + K.GRACE)) or ((writer.seals ~= nil and writer.seals >= K.SEALS_LIMIT) and (writer.sealed_t ~= nil and t > (writer.sealed_t + K.CROSSING)))))]],
      "writer t",
    },
    says = { [[f.say("the writer continues to append although %s is sealed", writer.segment)]], "writer" },
    cause = "The client does not ask its controller for the successor segments.",
  },
  {
    id = "PRV-P19b",
    name = "prv_p19b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Append just after SEGMENT_IS_SEALED",
    on = "append_block_end conditional_append conditional_block_end",
    needs = { "object" },
    of = "writer",
    when = {
      [[((writer.state == "sealed") and (writer.sealed_t ~= nil and t <= (writer.sealed_t + K.GRACE)) and ((writer.seals ~= nil and writer.seals < K.SEALS_LIMIT) or (writer.sealed_t ~= nil and t <= (writer.sealed_t + K.CROSSING))))]],
      "writer t",
    },
    says = {
      [[f.say("an append to %s was sent after SEGMENT_IS_SEALED had come", writer.segment)]],
      "writer",
    },
    cause = "The client does not look at the answer: it has to ask its controller for the successor segments.",
  },
  {
    id = "PRV-P46",
    name = "prv_p46",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Acknowledgement after a failed event",
    on = "data_appended",
    needs = { "object", "both" },
    of = "writer",
    when = {
      [[((writer.state == "sealed") and (writer.failing ~= nil and writer.failing >= 0) and (c.event_number ~= nil and writer.failing ~= nil and c.event_number >= writer.failing))]],
      "c writer",
    },
    says = {
      [[f.say("event %s was acknowledged, although event %s had failed", c.event_number, writer.failing)]],
      "c writer",
    },
  },
  {
    id = "PRV-P47",
    name = "prv_p47",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Last bytes of a segment read repeatedly",
    on = "repeat:end_again",
    evidence = { [[f.first_known(n)]], "n" },
    needs = {},
    of = "input",
    says = {
      [[f.say("the %s at offset %s, the last of %s, are read repeatedly", f.counted(c["#data"], "byte", "bytes"), c.offset, c.segment)]],
      "c",
    },
    cause = "The client takes the end-of-segment mark for an error and drops the bytes that come with it.",
  },
  {
    id = "PRV-P48",
    name = "prv_p48",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Repeated SETUP_APPEND without an append",
    on = "repeat:in_vain",
    evidence = { [[f.first_known(writer.setup_n)]], "writer" },
    needs = {},
    of = "conn",
    again = true,
    says = {
      [[f.say("the writer of %s reconnects repeatedly and never appends", writer.segment)]],
      "writer",
    },
    cause = "The client may fail to encode its append and take that for a connection failure.",
  },
  {
    id = "PRV-P20",
    name = "prv_p20",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Conditional append failed",
    on = "conditional_check_failed",
    needs = {},
    of = "conn",
    again = true,
    says = {
      [[f.say("event %s was not appended: %s does not end at the expected offset", c.event_number, writer.segment)]],
      "c writer",
    },
    cause = "Another writer has appended.",
  },
  {
    id = "PRV-P21",
    name = "prv_p21",
    severity = "WARN",
    group = "SECURITY",
    title = "Delegation token on some requests only",
    on = "setup_append read_segment get_stream_segment_info create_segment create_transient_segment create_table_segment seal_segment delete_segment delete_table_segment update_segment_policy get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table read_table_keys read_table_entries read_table_entries_delta",
    needs = {},
    of = "conn",
    when = {
      [[(((f.len(c.delegation_token) == 0) and (me.token_n ~= nil)) or (((f.len(c.delegation_token) or 0) > 0) and (me.bare_n ~= nil) and (me.token_n == nil)))]],
      "c me",
    },
    says = {
      [[f.say("%s has %s, while other requests have %s", name, ((f.len(c.delegation_token) == 0) and "no token" or "a token"), ((f.len(c.delegation_token) == 0) and "one" or "none"))]],
      "c name",
    },
    cause = "A server that checks tokens refuses requests without one.",
  },
  {
    id = "PRV-P39",
    name = "prv_p39",
    severity = "NOTE",
    group = "SECURITY",
    title = "Expired delegation token",
    on = "setup_append read_segment get_stream_segment_info create_segment create_transient_segment create_table_segment seal_segment delete_segment delete_table_segment update_segment_policy get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table read_table_keys read_table_entries read_table_entries_delta",
    needs = {},
    of = "conn",
    guard = 34,
    finds = { [[f.predicates.has_expired("delegation_token t", c.delegation_token, t)]], "c t" },
    says = { [[f.say("%s has a token that expired %s earlier", name, f.whole(found))]], "name found" },
    cause = "The client did not renew its token at the controller in time, or the clocks of controller and capture differ.",
  },
  {
    id = "PRV-P79",
    name = "prv_p79",
    severity = "WARN",
    group = "SECURITY",
    title = "Delegation token for another stream",
    on = "setup_append create_segment seal_segment delete_segment truncate_segment update_segment_attribute update_table_entries remove_table_keys read_segment get_stream_segment_info get_segment_attribute read_table read_table_keys read_table_entries read_table_entries_delta",
    needs = {},
    of = "conn",
    again = true,
    guard = 93,
    finds = {
      [[f.predicates.has_foreign_token("delegation_token segment", c.delegation_token, c.segment)]],
      "c",
    },
    says = { [[f.say("%s for %s has a token for another stream", name, c.segment)]], "c name" },
    cause = "The client has one token for all, or mixes up those of its streams: the controller gives one for each stream.",
  },
  {
    id = "PRV-P79b",
    name = "prv_p79b",
    severity = "WARN",
    group = "SECURITY",
    title = "Delegation token for reading shown to write",
    on = "setup_append create_segment seal_segment delete_segment truncate_segment update_segment_attribute update_table_entries remove_table_keys",
    needs = {},
    of = "conn",
    again = true,
    guard = 93,
    finds = {
      [[f.predicates.has_read_only_token("delegation_token segment", c.delegation_token, c.segment)]],
      "c",
    },
    says = { [[f.say("%s for %s has a token that allows reading only", name, c.segment)]], "c name" },
    cause = "The token was asked for with the access operation READ, or the user may not write.",
  },
  {
    id = "PRV-P40",
    name = "prv_p40",
    severity = "NOTE",
    group = "SECURITY",
    title = "Delegation token without TLS",
    on = "setup_append read_segment get_stream_segment_info create_segment create_transient_segment create_table_segment seal_segment delete_segment delete_table_segment update_segment_policy get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table read_table_keys read_table_entries read_table_entries_delta",
    needs = {},
    of = "conn",
    again = true,
    guard = 34,
    when = { [[(conn.encrypted ~= nil and not conn.encrypted)]], "conn" },
    says = { [[f.say("the client sent a token without TLS")]] },
    cause = "Anyone who can read the traffic can use the token until it expires.",
  },
  {
    id = "PRV-P51",
    name = "prv_p51",
    severity = "ERROR",
    group = "SECURITY",
    title = "Delegation token refused",
    on = "auth_token_check_failed",
    needs = {},
    of = "conn",
    again = true,
    guard = 94,
    says = {
      [[f.say("the segment store refused the token: %s", f.named(c.error_code, names.error_code))]],
      "c",
    },
    cause = "The token was signed with another key, or does not allow access to this segment.",
    by = { [[(((C.bare_n ~= nil) and (C.token_n == nil)) and "none" or "other")]], "C" },
    causes = { none = "The client sends no token." },
  },
  {
    id = "PRV-P22",
    name = "prv_p22",
    severity = "WARN",
    group = "SECURITY",
    title = "Repeated use of a refused token",
    on = "repeat:refused_token",
    evidence = { [[f.first_known(n)]], "n" },
    needs = {},
    of = "conn",
    says = { [[f.say("the token was refused at least 5 times in 10 s")]] },
    cause = "The client does not request a new token from its controller.",
  },
  {
    id = "PRV-P44",
    name = "prv_p44",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Repeated requests to the wrong segment store (WRONG_HOST)",
    on = "repeat:wrong_host",
    evidence = { [[f.first_known(n)]], "n" },
    needs = {},
    of = "conn",
    says = { [[f.say("%s is not on this segment store: at least 5 requests in 10 s", c.segment)]], "c" },
    cause = "The controller knows which store has the segment.",
  },
  {
    id = "PRV-P68",
    name = "prv_p68",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Segment on another segment store (WRONG_HOST)",
    on = "wrong_host",
    needs = {},
    of = "conn",
    again = true,
    guard = 4,
    when = { [[(conn.internal_n == nil)]], "conn" },
    says = {
      [[f.say("the segment store answered %s with WRONG_HOST: it does not have %s%s%s", f.coalesce(req.asked, "a request"), c.segment, (((f.len(c.correct_host) or 0) > 0) and ", which is on " or ""), c.correct_host)]],
      "c req",
    },
  },
  {
    id = "PRV-P23",
    name = "prv_p23",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered KEEP_ALIVE",
    on = "timer:echo",
    evidence = { [[f.first_known(conn.alive_n)]], "conn" },
    needs = { "both", "whole" },
    of = "conn",
    says = { [[f.say("the server did not return KEEP_ALIVE within %s", f.time(K.ECHO))]] },
  },
  {
    id = "PRV-P41",
    name = "prv_p41",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Idle connection closed by the server",
    on = "server:tcp.close server:tcp.reset",
    evidence = { [[f.first_known(C.last_n)]], "C" },
    needs = { "both", "whole" },
    of = "conn",
    when = {
      [[((C.last_t ~= nil and (t - C.last_t) > K.IDLE) and (conn.finished == nil) and ((C.hello_n ~= nil) or (conn.alives ~= nil and conn.alives > 0)))]],
      "C t conn",
    },
    says = {
      [[f.say("the server closed the connection after the client had been silent for %s", f.time((C.last_t ~= nil and (t - C.last_t) or nil)))]],
      "C t",
    },
    cause = "The client sends no KEEP_ALIVE while it waits.",
  },
  {
    id = "PRV-P24",
    name = "prv_p24",
    severity = "WARN",
    group = "MALFORMED",
    title = "Text not in modified UTF-8",
    problem = { text = true },
    needs = {},
    of = "conn",
    says = { [[f.say("%s of %s is not modified UTF-8", problem_field, name)]], "problem_field name" },
    cause = "In modified UTF-8 a character above U+FFFF is two sequences of three bytes, not one of four, and U+0000 is two bytes: the sender writes plain UTF-8, which Java cannot read.",
  },
  {
    id = "PRV-P26",
    name = "prv_p26",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Mix of table keys with and without a version",
    on = "update_table_entries",
    needs = {},
    of = "conn",
    guard = 95,
    says = {
      [[f.say("some of %s require a version, others do not", f.counted(c["#entries"], "entry", "entries"))]],
      "c",
    },
    cause = "All entries are refused if one has another version.",
  },
  {
    id = "PRV-P42",
    name = "prv_p42",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Decreasing versions of table keys",
    on = "table_entries_updated",
    needs = { "object", "both" },
    of = "table",
    when = {
      [[(f.least(c["updated_versions[]"]) ~= nil and table.version ~= nil and f.least(c["updated_versions[]"]) <= table.version)]],
      "c table",
    },
    says = {
      [[f.say("%s has version %s after %s", req.segment, f.least(c["updated_versions[]"]), table.version)]],
      "c req table",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "segment_read",
    needs = {},
    of = "conn",
    guard = 96,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "stream_segment_info",
    needs = {},
    of = "conn",
    guard = 97,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27_3",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "segment_attribute_updated",
    needs = {},
    of = "conn",
    guard = 98,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27_4",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "storage_chunks_listed",
    needs = {},
    of = "conn",
    guard = 99,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27_5",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "create_table_segment",
    needs = {},
    of = "conn",
    guard = 100,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27_6",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "delete_table_segment",
    needs = {},
    of = "conn",
    guard = 101,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P27",
    name = "prv_p27_7",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Boolean that is neither 0 nor 1",
    on = "table_entries_delta_read",
    needs = {},
    of = "conn",
    guard = 102,
    says = {
      [[f.say("%s has a boolean that is neither 0 nor 1; every value but 0 is read as true", name)]],
      "name",
    },
  },
  {
    id = "PRV-P28",
    name = "prv_p28",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Invalid scaling policy",
    on = "create_segment update_segment_policy",
    needs = {},
    of = "conn",
    guard = 103,
    says = {
      [[f.say("the scaling policy has scale type %s and target rate %s", c.scale_type, c.target_rate)]],
      "c",
    },
  },
  {
    id = "PRV-P28b",
    name = "prv_p28b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Scaling policy with a target rate of 0",
    on = "create_segment update_segment_policy",
    needs = {},
    of = "conn",
    guard = 104,
    says = {
      [[f.say("%s is to be scaled by its rate (type %s), but the rate is 0", c.segment, c.scale_type)]],
      "c",
    },
    cause = "The client sets the type and leaves out the rate: any traffic splits the segment.",
  },
  {
    id = "PRV-P29",
    name = "prv_p29",
    severity = "ERROR",
    group = "REQUEST_CODE",
    title = "Segment merged into itself",
    on = "merge_segments",
    needs = {},
    of = "conn",
    guard = 105,
    says = { [[f.say("%s is merged into itself", c.target)]], "c" },
  },
  {
    id = "PRV-P30",
    name = "prv_p30",
    severity = "NOTE",
    group = "SECURITY",
    title = "Server stack trace in a reply",
    on = "wrong_host segment_is_sealed segment_already_exists no_such_segment segment_is_truncated operation_unsupported auth_token_check_failed table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    needs = {},
    of = "conn",
    again = true,
    guard = 106,
    says = {
      [[f.say("%s contains %s of the server's stack trace", name, f.counted(f.len(c.server_stack_trace), "byte", "bytes"))]],
      "c name",
    },
    cause = "Servers can be configured to omit it: it reveals what they run.",
  },
  {
    id = "PRV-P43",
    name = "prv_p43",
    severity = "ERROR",
    group = "MALFORMED",
    title = "Conditional append with the old layout",
    on = "conditional_append",
    needs = {},
    of = "writer",
    guard = 107,
    when = { [[(version ~= nil and version >= 5)]], "version" },
    says = { [[f.say("the event has no header of its own, as before release 0.3")]] },
    cause = "The client omits the event's header: the length of the event is read as a type code.",
  },
  {
    id = "PRV-P31",
    name = "prv_p31",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "INVALID_EVENT_NUMBER: event number not above the stored one",
    on = "invalid_event_number",
    needs = {},
    of = "writer",
    says = {
      [[f.say("event %s is not above the last one stored in %s", c.event_number, writer.segment)]],
      "c writer",
    },
    cause = "The client resends what is stored, or another connection appends for the same writer.",
  },
  {
    id = "PRV-P32",
    name = "prv_p32",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Repeated SETUP_APPEND on one connection",
    on = "repeat:again",
    evidence = { [[f.first_known(n, writer.acked_n)]], "n writer" },
    needs = { "object" },
    of = "writer",
    says = {
      [[f.say("the writer of %s is set up repeatedly, although the connection continues", c.segment)]],
      "c",
    },
    cause = "The client failed its session although the connection continues.",
    by = { [[((C.high ~= nil and C.high < 9) and "old" or "new")]], "C" },
    causes = {
      old = "The client failed its session although the connection continues: releases up to 0.5 take the last field of DATA_APPENDED for the next command.",
    },
  },
  {
    id = "PRV-P65",
    name = "prv_p65",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request failed with ERROR_MESSAGE",
    on = "error_message",
    needs = {},
    of = "conn",
    again = true,
    says = {
      [[f.say("the segment store answered %s for %s with %s: %s", f.coalesce(req.asked, "a request"), c.segment, f.named(c.error_code, names.error_code_2), c.message)]],
      "c req",
    },
    cause = "The text is that of the segment store.",
  },
  {
    id = "PRV-P66",
    name = "prv_p66",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Operation that the segment store does not support",
    on = "operation_unsupported",
    needs = {},
    of = "conn",
    again = true,
    says = { [[f.say("the segment store does not support %s", c.operation_name)]], "c" },
    cause = "The store is of another release, or the feature is off.",
  },
  {
    id = "PRV-P67",
    name = "prv_p67",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Request refused by the segment store",
    on = "segment_is_sealed segment_already_exists no_such_segment segment_is_truncated table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    needs = {},
    of = "conn",
    again = true,
    guard = 108,
    when = { [[(conn.internal_n == nil)]], "conn" },
    says = {
      [[f.say("the segment store answered %s for %s with %s", f.coalesce(req.asked, "a request"), c.segment, name)]],
      "c req name",
    },
    by = {
      [[(((name == "no_such_segment") and (f.between(c.segment, ".#epoch.", "") == nil)) and "unqualified" or name)]],
      "c name",
    },
    causes = {
      unqualified = "The segment was deleted, or its name is incomplete: segments of streams are called scope/stream/NUMBER.#epoch.EPOCH.",
      no_such_segment = "The segment was deleted, or never existed.",
      segment_already_exists = "The segment was created before.",
      segment_is_truncated = "The bytes were truncated: reads continue at the start offset in the answer.",
      segment_is_sealed = "The segment takes no more: the controller knows its successors.",
      table_segment_not_empty = "The table still has entries.",
      table_key_does_not_exist = "The entry was removed, or never existed.",
      table_key_bad_version = "Another client has changed the entry.",
    },
  },
  {
    id = "PRV-B1",
    name = "prv_b1",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Refused request repeated unchanged",
    on = "segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    needs = {},
    of = "refused",
    when = {
      [[((((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and refused.same == name))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)))))) and ((conn.internal_n == nil) and ((name ~= "segment_already_exists") and ((name ~= "table_key_bad_version") or (req.versions ~= nil and req.versions ~= -1))) and ((name ~= "segment_is_truncated") or (f.coalesce(input.reached, 0) <= f.coalesce(req.start, 0)))))]],
      "refused t name conn req input",
    },
    says = {
      [[f.say("the segment store answered with %s for %s %s times in a row, at most %s apart", name, req.segment, K.REFUSED_LIMIT, f.time(K.REFUSED_PAUSE))]],
      "name req",
    },
    cause = "The client repeats the request unchanged, without increasing its pause.",
    by = { [[name]], "name" },
    causes = {
      no_such_segment = "The segment was deleted, or never existed: the client has to ask the controller for the current segments.",
      segment_is_truncated = "The client has to continue at the start offset in the answer.",
      segment_is_sealed = "The client has to ask the controller for the segments that follow.",
      table_key_bad_version = "The entry has changed: the client has to read it again, and update its new version.",
      table_key_does_not_exist = "The entry was removed: the client has to read the table again.",
    },
  },
  {
    id = "PRV-B1b",
    name = "prv_b1b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Refused request repeated by the controller",
    on = "segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    needs = {},
    of = "refused",
    again = true,
    when = {
      [[((((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and refused.same == name))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)))))) and (conn.internal_n ~= nil))]],
      "refused t name conn",
    },
    says = {
      [[f.say("the segment store answered the controller with %s for %s %s times in a row, at most %s apart", name, req.segment, K.REFUSED_LIMIT, f.time(K.REFUSED_PAUSE))]],
      "name req",
    },
    cause = "The controller looks up what a client asks it for, or works on its own tables.",
  },
  {
    id = "PRV-B1c",
    name = "prv_b1c",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Creation in the segment store repeated although it exists",
    on = "segment_is_sealed segment_already_exists no_such_segment no_such_transaction segment_is_truncated operation_unsupported error_message table_segment_not_empty table_key_does_not_exist table_key_bad_version",
    needs = {},
    of = "refused",
    when = {
      [[((((refused.times ~= nil and (refused.times + 1) >= K.REFUSED_LIMIT) and ((refused.latest_t ~= nil and (t - refused.latest_t) <= K.REFUSED_PAUSE) and (refused.same ~= nil and refused.same == name))) and ((refused.slower ~= nil and refused.times ~= nil and (refused.slower * 4) < ((refused.times - 2) * 3)) or (refused.latest_t ~= nil and f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)) ~= nil and (t - refused.latest_t) <= (2 * f.coalesce(refused.first_gap, (refused.latest_t ~= nil and (t - refused.latest_t) or nil)))))) and ((conn.internal_n == nil) and ((name == "segment_already_exists") or ((name == "table_key_bad_version") and (req.versions == -1)))))]],
      "refused t name conn req",
    },
    says = {
      [[f.say("the segment store answered with %s for %s %s times in a row, at most %s apart", name, req.segment, K.REFUSED_LIMIT, f.time(K.REFUSED_PAUSE))]],
      "name req",
    },
    cause = "The client creates a segment or an entry before each use, instead of once.",
  },
  {
    id = "PRV-B2",
    name = "prv_b2",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Conditional append repeated with the same stale offset",
    on = "conditional_check_failed",
    needs = {},
    of = "writer",
    when = {
      [[(((writer.stale_times ~= nil and (writer.stale_times + 1) >= K.STALE_LIMIT) and (c.event_number ~= nil and writer.sent ~= nil and c.event_number == writer.sent) and ((writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) <= K.REFUSED_PAUSE) and (writer.stale_same ~= nil and writer.expected ~= nil and writer.stale_same == writer.expected))) and ((writer.stale_slower ~= nil and writer.stale_times ~= nil and (writer.stale_slower * 4) < ((writer.stale_times - 2) * 3)) or (writer.stale_latest_t ~= nil and f.coalesce(writer.stale_first_gap, (writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) or nil)) ~= nil and (t - writer.stale_latest_t) <= (2 * f.coalesce(writer.stale_first_gap, (writer.stale_latest_t ~= nil and (t - writer.stale_latest_t) or nil))))))]],
      "c writer t",
    },
    says = {
      [[f.say("%s conditional appends in a row to %s were refused, because the segment does not end at %s", K.STALE_LIMIT, writer.segment, writer.expected)]],
      "writer",
    },
    cause = "The client does not handle CONDITIONAL_CHECK_FAILED: it must read what others have written, and then expect the new length.",
  },
  {
    id = "PRV-B2b",
    name = "prv_b2b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Writers that each expect the same wrong length of a segment",
    on = "conditional_check_failed",
    needs = {},
    of = "outdated",
    when = {
      [[((outdated.times ~= nil and outdated.times >= K.STARTS_LIMIT) and (outdated.expected ~= nil and writer.expected ~= nil and outdated.expected == writer.expected) and ((not f.starts(writer.segment, "_system/")) and (f.between(writer.segment, "/_", "/") == nil)))]],
      "outdated writer",
    },
    says = {
      [[f.say("an append to %s is refused, because the segment does not end at %s, as those of %s before it: none of them has stored anything", writer.segment, writer.expected, f.counted(outdated.times, "writer", "writers"))]],
      "writer outdated",
    },
    cause = "Each start of the program begins at a fixed place, such as 0, instead of the end of the segment (GET_STREAM_SEGMENT_INFO): nothing is written.",
  },
  {
    id = "PRV-B3",
    name = "prv_b3",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Flood of KEEP_ALIVE",
    on = "client:keep_alive",
    since = { [[f.since(conn, f.coalesce(C.kept_alive_second_n, n), n, C.kept_alive_first_n)]], "conn C n" },
    needs = { "since" },
    of = "C",
    when = {
      [[((C.kept_alive_times ~= nil and (C.kept_alive_times + 1) >= K.ALIVE_LIMIT) and (C.kept_alive_latest_t ~= nil and (t - C.kept_alive_latest_t) <= K.POLL_PAUSE))]],
      "C t",
    },
    says = {
      [[f.say("%s KEEP_ALIVE were sent in a row, at most %s apart, with no append or read in between", K.ALIVE_LIMIT, f.time(K.POLL_PAUSE))]],
    },
    cause = "The client flushes in a loop: each flush sends KEEP_ALIVE, although nothing is waiting to be stored.",
  },
  {
    id = "PRV-B46",
    name = "prv_b46",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "KEEP_ALIVE after each append",
    on = "end:conn",
    evidence = { [[f.first_known(conn.flushed_latest_n, conn.flushed_second_n)]], "conn" },
    needs = { "whole" },
    of = "conn",
    when = {
      [[((conn.flushed_count ~= nil and conn.flushed_count >= K.SINGLE_LIMIT) and (conn.flushed_count ~= nil and C.frames ~= nil and (conn.flushed_count * 100) >= (C.frames * 20)))]],
      "conn C",
    },
    says = {
      [[f.say("%s of the %s commands of the client are KEEP_ALIVE, each after one append", conn.flushed_count, C.frames)]],
      "conn C",
    },
    cause = "The client flushes after each event: each flush sends KEEP_ALIVE and waits for all acknowledgements.",
  },
  {
    id = "PRV-B4",
    name = "prv_b4",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated failure of a conditional attribute update",
    on = "segment_attribute_updated",
    needs = {},
    of = "unset",
    when = {
      [[(((unset.times ~= nil and (unset.times + 1) >= K.REFUSED_LIMIT) and (c.success == 0) and (unset.latest_t ~= nil and (t - unset.latest_t) <= K.REFUSED_PAUSE)) and ((unset.slower ~= nil and unset.times ~= nil and (unset.slower * 4) < ((unset.times - 2) * 3)) or (unset.latest_t ~= nil and f.coalesce(unset.first_gap, (unset.latest_t ~= nil and (t - unset.latest_t) or nil)) ~= nil and (t - unset.latest_t) <= (2 * f.coalesce(unset.first_gap, (unset.latest_t ~= nil and (t - unset.latest_t) or nil))))))]],
      "c unset t",
    },
    says = {
      [[f.say("%s updates in a row of an attribute of %s failed, because the attribute did not have the expected value", K.REFUSED_LIMIT, req.segment)]],
      "req",
    },
    cause = "The client repeats the update with an old value: it must read the attribute (GET_SEGMENT_ATTRIBUTE) first.",
  },
  {
    id = "PRV-B5",
    name = "prv_b5",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table polled for changes without a pause",
    on = "table_entries_delta_read",
    needs = {},
    of = "no_changes",
    guard = 2,
    when = {
      [[((no_changes.times ~= nil and (no_changes.times + 1) >= K.POLL_LIMIT) and ((no_changes.latest_t ~= nil and (t - no_changes.latest_t) <= K.POLL_PAUSE) and (no_changes.same ~= nil and c.last_position ~= nil and no_changes.same == c.last_position)))]],
      "c no_changes t",
    },
    says = {
      [[f.say("%s READ_TABLE_ENTRIES_DELTA in a row found nothing after position %s of %s, at most %s apart", K.POLL_LIMIT, c.last_position, c.segment, f.time(K.POLL_PAUSE))]],
      "c",
    },
    cause = "Each poll costs a round trip and loads the segment store; increase the pause while nothing changes.",
    by = { [[((f.between(c.segment, "_kvtable/", "") ~= nil) and 1 or 0)]], "c" },
    causes = {
      [1] = "The reader waits for events, or takes and releases a segment slice for each event: each time it takes one, it asks for the changes of its group. Release a slice when its events have been read.",
    },
  },
  {
    id = "PRV-B59",
    name = "prv_b59",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Same changes of a table read repeatedly",
    on = "table_entries_delta_read",
    needs = {},
    of = "same_changes",
    when = {
      [[((same_changes.times ~= nil and (same_changes.times + 1) >= K.SAME_CHANGES) and (((c["#entries"] or 0) > 0) and (c.last_position ~= nil and req.from_position ~= nil and c.last_position > req.from_position)) and ((same_changes.latest_t ~= nil and (t - same_changes.latest_t) <= K.REFUSED_PAUSE) and (same_changes.same ~= nil and req.from_position ~= nil and same_changes.same == req.from_position)))]],
      "c same_changes req t",
    },
    says = {
      [[f.say("%s READ_TABLE_ENTRIES_DELTA in a row of %s began at position %s; the answer went on to %s", K.SAME_CHANGES, c.segment, req.from_position, c.last_position)]],
      "c req",
    },
    cause = "The client does not keep the last position of the answer: it gets all changes again, and each time more of them.",
  },
  {
    id = "PRV-B60",
    name = "prv_b60",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Bytes of a segment left out between reads",
    on = "read_segment",
    since = {
      [[f.since(conn, n, reader.skipped_second_n, reader.skipped_first_n, reader.reached_n)]],
      "conn n reader",
    },
    needs = { "whole", "both", "since" },
    of = "reader",
    when = {
      [[((reader.skipped_times ~= nil and (reader.skipped_times + 1) >= K.SKIP_LIMIT) and ((c.offset ~= nil and reader.reached ~= nil and c.offset > reader.reached) and (reader.under_way_open == 0)) and (reader.skipped_latest_t ~= nil and (t - reader.skipped_latest_t) <= K.SKIP_PAUSE))]],
      "c reader t",
    },
    says = {
      [[f.say("%s reads in a row of %s began after the end of the bytes before: the last one at %s, where %s was reached", K.SKIP_LIMIT, c.segment, c.offset, reader.reached)]],
      "c reader",
    },
    cause = "The client adds to its offset what it asked for instead of what it got, or counts the heads of events twice: it does not see the events between.",
  },
  {
    id = "PRV-B6",
    name = "prv_b6",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Segment length queried repeatedly",
    on = "stream_segment_info",
    since = { [[f.since(conn, req.n, n, polled.second_n, polled.first_n)]], "conn req n polled" },
    needs = { "since" },
    of = "polled",
    when = {
      [[((polled.times ~= nil and (polled.times + 1) >= K.POLL_LIMIT) and ((polled.latest_t ~= nil and (t - polled.latest_t) <= K.POLL_PAUSE) and (polled.same ~= nil and c.write_offset ~= nil and polled.same == c.write_offset)))]],
      "c polled t",
    },
    says = {
      [[f.say("%s GET_STREAM_SEGMENT_INFO in a row returned the same length %s of %s, at most %s apart", K.POLL_LIMIT, c.write_offset, c.segment, f.time(K.POLL_PAUSE))]],
      "c",
    },
    cause = "The client polls for changes, or asks for the length before each step; a read at the tail waits for new data.",
  },
  {
    id = "PRV-B7",
    name = "prv_b7",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Segment tail polled without a pause",
    on = "segment_read",
    needs = {},
    of = "tail_polled",
    guard = 109,
    when = {
      [[((tail_polled.times ~= nil and (tail_polled.times + 1) >= K.POLL_LIMIT) and ((tail_polled.latest_t ~= nil and (t - tail_polled.latest_t) <= K.POLL_PAUSE) and (tail_polled.same ~= nil and c.offset ~= nil and tail_polled.same == c.offset)))]],
      "c tail_polled t",
    },
    says = {
      [[f.say("%s reads in a row at %s, the tail of %s, were empty, at most %s apart", K.POLL_LIMIT, c.offset, c.segment, f.time(K.POLL_PAUSE))]],
      "c",
    },
    cause = "The client reads again at once, although nothing was written.",
  },
  {
    id = "PRV-B6b",
    name = "prv_b6b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Segment attribute queried repeatedly",
    on = "segment_attribute",
    needs = {},
    of = "attribute_polled",
    when = {
      [[((attribute_polled.times ~= nil and (attribute_polled.times + 1) >= K.POLL_LIMIT) and ((attribute_polled.latest_t ~= nil and (t - attribute_polled.latest_t) <= K.POLL_PAUSE) and (attribute_polled.same ~= nil and c.value ~= nil and attribute_polled.same == c.value)))]],
      "c attribute_polled t",
    },
    says = {
      [[f.say("%s GET_SEGMENT_ATTRIBUTE in a row returned the same value %s for %s, at most %s apart", K.POLL_LIMIT, c.value, req.segment, f.time(K.POLL_PAUSE))]],
      "c req",
    },
    cause = "The client polls for changes, or asks before each step; each costs a round trip.",
  },
  {
    id = "PRV-B6c",
    name = "prv_b6c",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table entry read repeatedly",
    on = "table_read",
    needs = {},
    of = "key_polled",
    guard = 110,
    when = {
      [[((key_polled.times ~= nil and (key_polled.times + 1) >= K.POLL_LIMIT) and ((key_polled.latest_t ~= nil and (t - key_polled.latest_t) <= K.POLL_PAUSE) and (key_polled.same ~= nil and f.first(c["entries.key.key_version[]"]) ~= nil and key_polled.same == f.first(c["entries.key.key_version[]"]))))]],
      "c key_polled t",
    },
    says = {
      [[f.say("%s READ_TABLE in a row returned the same version of one entry of %s, at most %s apart", K.POLL_LIMIT, c.segment, f.time(K.POLL_PAUSE))]],
      "c",
    },
    cause = "The client does not keep what it has read, or polls for changes; READ_TABLE_ENTRIES_DELTA returns what has changed.",
  },
  {
    id = "PRV-B47",
    name = "prv_b47",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Segment length queried before each step",
    on = "end:conn",
    evidence = { [[f.first_known(conn.measured_latest_n, conn.measured_second_n)]], "conn" },
    needs = {},
    of = "conn",
    when = {
      [[(((conn.measured_count ~= nil and conn.measured_count >= K.MEASURED_LIMIT) and (conn.measured_count ~= nil and C.frames ~= nil and (conn.measured_count * 100) >= (C.frames * 30))) and (conn.internal_n == nil))]],
      "conn C",
    },
    says = {
      [[f.say("%s of %s commands of the client ask for the length of a segment", conn.measured_count, C.frames)]],
      "conn C",
    },
    cause = "Each question costs a round trip: DATA_APPENDED has the length, and a read at the tail waits for new data.",
  },
  {
    id = "PRV-B8",
    name = "prv_b8",
    severity = "WARN",
    group = "SEQUENCE",
    title = "First page of a table read repeatedly (continuation token unused)",
    on = "table_keys_read",
    since = {
      [[f.since(conn, f.coalesce(first_keys.second_n, req.n), req.n, n, first_keys.first_n)]],
      "conn first_keys req n",
    },
    needs = { "since" },
    of = "first_keys",
    when = {
      [[(((first_keys.times ~= nil and (first_keys.times + 1) >= K.PAGE_LIMIT) and ((req.continued == 0) and ((c["#continuation_token"] or 0) > 0) and (c["#keys"] ~= nil and req.wanted ~= nil and c["#keys"] >= req.wanted)) and ((first_keys.latest_t ~= nil and (t - first_keys.latest_t) <= K.REFUSED_PAUSE) and (first_keys.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and first_keys.same == f.digest(c["continuation_token raw"])))) and ((first_keys.slower ~= nil and first_keys.times ~= nil and (first_keys.slower * 4) < ((first_keys.times - 2) * 3)) or (first_keys.latest_t ~= nil and f.coalesce(first_keys.first_gap, (first_keys.latest_t ~= nil and (t - first_keys.latest_t) or nil)) ~= nil and (t - first_keys.latest_t) <= (2 * f.coalesce(first_keys.first_gap, (first_keys.latest_t ~= nil and (t - first_keys.latest_t) or nil))))))]],
      "c first_keys req t",
    },
    says = {
      [[f.say("%s requests in a row without a continuation token returned the same first page of %s, and none asked for the rest", K.PAGE_LIMIT, c.segment)]],
      "c",
    },
    cause = "The client does not send the continuation token of the answer back, so it never reaches the other keys.",
  },
  {
    id = "PRV-B8",
    name = "prv_b8_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "First page of a table read repeatedly (continuation token unused)",
    on = "table_entries_read",
    since = {
      [[f.since(conn, f.coalesce(first_entries.second_n, req.n), req.n, n, first_entries.first_n)]],
      "conn first_entries req n",
    },
    needs = { "since" },
    of = "first_entries",
    when = {
      [[(((first_entries.times ~= nil and (first_entries.times + 1) >= K.PAGE_LIMIT) and ((req.continued == 0) and ((c["#continuation_token"] or 0) > 0) and (c["#entries"] ~= nil and req.wanted ~= nil and c["#entries"] >= req.wanted)) and ((first_entries.latest_t ~= nil and (t - first_entries.latest_t) <= K.REFUSED_PAUSE) and (first_entries.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and first_entries.same == f.digest(c["continuation_token raw"])))) and ((first_entries.slower ~= nil and first_entries.times ~= nil and (first_entries.slower * 4) < ((first_entries.times - 2) * 3)) or (first_entries.latest_t ~= nil and f.coalesce(first_entries.first_gap, (first_entries.latest_t ~= nil and (t - first_entries.latest_t) or nil)) ~= nil and (t - first_entries.latest_t) <= (2 * f.coalesce(first_entries.first_gap, (first_entries.latest_t ~= nil and (t - first_entries.latest_t) or nil))))))]],
      "c first_entries req t",
    },
    says = {
      [[f.say("%s requests in a row without a continuation token returned the same first page of %s, and none asked for the rest", K.PAGE_LIMIT, c.segment)]],
      "c",
    },
    cause = "The client does not send the continuation token of the answer back, so it never reaches the other keys.",
  },
  {
    id = "PRV-B9",
    name = "prv_b9",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same bytes of a segment read repeatedly",
    on = "segment_read",
    needs = {},
    of = "reader",
    when = {
      [[(((reader.read_again_times ~= nil and (reader.read_again_times + 1) >= K.SAME_LIMIT) and (((c["#data"] or 0) > 0) and (c.end_of_segment == 0)) and ((reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) <= K.REFUSED_PAUSE) and (reader.read_again_same ~= nil and c.offset ~= nil and reader.read_again_same == c.offset))) and ((reader.read_again_slower ~= nil and reader.read_again_times ~= nil and (reader.read_again_slower * 4) < ((reader.read_again_times - 2) * 3)) or (reader.read_again_latest_t ~= nil and f.coalesce(reader.read_again_first_gap, (reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) or nil)) ~= nil and (t - reader.read_again_latest_t) <= (2 * f.coalesce(reader.read_again_first_gap, (reader.read_again_latest_t ~= nil and (t - reader.read_again_latest_t) or nil))))))]],
      "c reader t",
    },
    says = {
      [[f.say("%s reads in a row returned the bytes at %s of %s", K.SAME_LIMIT, c.offset, c.segment)]],
      "c",
    },
    cause = "The client does not advance its offset after an answer.",
  },
  {
    id = "PRV-B8b",
    name = "prv_b8b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same page of table keys or entries read repeatedly",
    on = "table_keys_read",
    since = {
      [[f.since(conn, f.coalesce(same_keys.second_n, req.n), req.n, n, same_keys.first_n)]],
      "conn same_keys req n",
    },
    needs = { "since" },
    of = "same_keys",
    when = {
      [[(((same_keys.times ~= nil and (same_keys.times + 1) >= K.SAME_PAGE) and ((req.continued ~= nil and req.continued > 0) and ((c["#continuation_token"] or 0) > 0)) and ((same_keys.latest_t ~= nil and (t - same_keys.latest_t) <= K.REFUSED_PAUSE) and (same_keys.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and same_keys.same == f.digest(c["continuation_token raw"])))) and ((same_keys.slower ~= nil and same_keys.times ~= nil and (same_keys.slower * 4) < ((same_keys.times - 2) * 3)) or (same_keys.latest_t ~= nil and f.coalesce(same_keys.first_gap, (same_keys.latest_t ~= nil and (t - same_keys.latest_t) or nil)) ~= nil and (t - same_keys.latest_t) <= (2 * f.coalesce(same_keys.first_gap, (same_keys.latest_t ~= nil and (t - same_keys.latest_t) or nil))))))]],
      "c same_keys req t",
    },
    says = { [[f.say("%s requests in a row returned the same page of %s", K.SAME_PAGE, c.segment)]], "c" },
    cause = "The client passes on an old continuation token instead of that of the last answer.",
  },
  {
    id = "PRV-B8b",
    name = "prv_b8b_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same page of table keys or entries read repeatedly",
    on = "table_entries_read",
    since = {
      [[f.since(conn, f.coalesce(same_entries.second_n, req.n), req.n, n, same_entries.first_n)]],
      "conn same_entries req n",
    },
    needs = { "since" },
    of = "same_entries",
    when = {
      [[(((same_entries.times ~= nil and (same_entries.times + 1) >= K.SAME_PAGE) and ((req.continued ~= nil and req.continued > 0) and ((c["#continuation_token"] or 0) > 0)) and ((same_entries.latest_t ~= nil and (t - same_entries.latest_t) <= K.REFUSED_PAUSE) and (same_entries.same ~= nil and f.digest(c["continuation_token raw"]) ~= nil and same_entries.same == f.digest(c["continuation_token raw"])))) and ((same_entries.slower ~= nil and same_entries.times ~= nil and (same_entries.slower * 4) < ((same_entries.times - 2) * 3)) or (same_entries.latest_t ~= nil and f.coalesce(same_entries.first_gap, (same_entries.latest_t ~= nil and (t - same_entries.latest_t) or nil)) ~= nil and (t - same_entries.latest_t) <= (2 * f.coalesce(same_entries.first_gap, (same_entries.latest_t ~= nil and (t - same_entries.latest_t) or nil))))))]],
      "c same_entries req t",
    },
    says = { [[f.say("%s requests in a row returned the same page of %s", K.SAME_PAGE, c.segment)]], "c" },
    cause = "The client passes on an old continuation token instead of that of the last answer.",
  },
  {
    id = "PRV-B22",
    name = "prv_b22",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Requests to the wrong store despite the host in WRONG_HOST",
    on = "wrong_host",
    needs = {},
    of = "misdirected",
    when = {
      [[(((misdirected.times ~= nil and (misdirected.times + 1) >= K.MISDIRECTED_LIMIT) and ((f.len(c.correct_host) or 0) > 0) and (misdirected.latest_t ~= nil and (t - misdirected.latest_t) <= 5000000000.0)) and ((misdirected.slower ~= nil and misdirected.times ~= nil and (misdirected.slower * 4) < ((misdirected.times - 2) * 3)) or (misdirected.latest_t ~= nil and f.coalesce(misdirected.first_gap, (misdirected.latest_t ~= nil and (t - misdirected.latest_t) or nil)) ~= nil and (t - misdirected.latest_t) <= (2 * f.coalesce(misdirected.first_gap, (misdirected.latest_t ~= nil and (t - misdirected.latest_t) or nil))))))]],
      "c misdirected t",
    },
    says = {
      [[f.say("%s requests in a row for %s were answered with WRONG_HOST, which names %s", K.MISDIRECTED_LIMIT, c.segment, c.correct_host)]],
      "c",
    },
    cause = "The client goes on to use this store instead of the one that the answer names.",
  },
  {
    id = "PRV-B22b",
    name = "prv_b22b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Retries without backoff after WRONG_HOST",
    on = "wrong_host",
    needs = {},
    of = "misplaced",
    when = {
      [[(((misplaced.times ~= nil and (misplaced.times + 1) >= K.MISPLACED_LIMIT) and (misplaced.latest_t ~= nil and (t - misplaced.latest_t) <= 2000000000.0)) and ((misplaced.slower ~= nil and misplaced.times ~= nil and (misplaced.slower * 4) < ((misplaced.times - 2) * 3)) or (misplaced.latest_t ~= nil and f.coalesce(misplaced.first_gap, (misplaced.latest_t ~= nil and (t - misplaced.latest_t) or nil)) ~= nil and (t - misplaced.latest_t) <= (2 * f.coalesce(misplaced.first_gap, (misplaced.latest_t ~= nil and (t - misplaced.latest_t) or nil))))))]],
      "misplaced t",
    },
    says = {
      [[f.say("%s requests in a row for %s were answered with WRONG_HOST, without a pause that grows", K.MISPLACED_LIMIT, c.segment)]],
      "c",
    },
    cause = "The client does not ask the controller which store has the segment.",
  },
  {
    id = "PRV-B10",
    name = "prv_b10",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Segment read in small pieces",
    on = "read_segment",
    since = {
      [[f.since(conn, n, input.read_in_bits_second_n, input.read_in_bits_first_n)]],
      "conn n input",
    },
    needs = { "since", "both" },
    of = "input",
    again = true,
    guard = 47,
    when = {
      [[((input.read_in_bits_times ~= nil and (input.read_in_bits_times + 1) >= K.STEP_LIMIT) and ((input.read_in_bits_open == 0) and (input.read_in_bits_answered_t ~= nil and f.max((input.read_in_bits_took ~= nil and (input.read_in_bits_took * 3) or nil), 5000000) ~= nil and (t - input.read_in_bits_answered_t) <= f.max((input.read_in_bits_took ~= nil and (input.read_in_bits_took * 3) or nil), 5000000)) and (input.read_in_bits_value ~= nil and c.offset ~= nil and input.read_in_bits_value ~= c.offset)))]],
      "c input t",
    },
    says = {
      [[f.say("%s reads in a row of %s asked for less than %s bytes each (the last for %s), right after the previous answer", K.STEP_LIMIT, c.segment, K.TINY, c.suggested_length)]],
      "c",
    },
    cause = "Each read costs a round trip: the client reads without a buffer.",
  },
  {
    id = "PRV-B11",
    name = "prv_b11",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Append of one event at a time, waiting for each acknowledgement",
    on = "append_block_end",
    since = {
      [[f.since(conn, f.coalesce(writer.stored_singly_second_n, n), n, writer.stored_singly_first_n)]],
      "conn writer n",
    },
    needs = { "since", "both" },
    of = "writer",
    again = true,
    guard = 48,
    when = {
      [[((writer.stored_singly_times ~= nil and (writer.stored_singly_times + 1) >= K.ACKED_LIMIT) and ((writer.stored_singly_open == 0) and (writer.stored_singly_answered_t ~= nil and f.max((writer.stored_singly_took ~= nil and (writer.stored_singly_took * 3) or nil), 5000000) ~= nil and (t - writer.stored_singly_answered_t) <= f.max((writer.stored_singly_took ~= nil and (writer.stored_singly_took * 3) or nil), 5000000))))]],
      "writer t",
    },
    says = {
      [[f.say("%s appends in a row to %s had one event each, and each was sent after DATA_APPENDED for the previous one", K.ACKED_LIMIT, writer.segment)]],
      "writer",
    },
    cause = "Each event costs a round trip; a writer may have many outstanding events.",
  },
  {
    id = "PRV-B11b",
    name = "prv_b11b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Small conditional append at a time, waiting for each acknowledgement",
    on = "conditional_append conditional_block_end",
    since = {
      [[f.since(conn, f.coalesce(writer.flushed_singly_second_n, n), n, writer.flushed_singly_first_n)]],
      "conn writer n",
    },
    needs = { "since", "both" },
    of = "writer",
    again = true,
    when = {
      [[((writer.flushed_singly_times ~= nil and (writer.flushed_singly_times + 1) >= K.ACKED_LIMIT) and ((size ~= nil and size < K.TINY) and (not f.starts(writer.segment, "_system/")) and (f.between(writer.segment, "/_", "/") == nil)) and ((writer.flushed_singly_open == 0) and (writer.flushed_singly_answered_t ~= nil and f.max((writer.flushed_singly_took ~= nil and (writer.flushed_singly_took * 3) or nil), 20000000) ~= nil and (t - writer.flushed_singly_answered_t) <= f.max((writer.flushed_singly_took ~= nil and (writer.flushed_singly_took * 3) or nil), 20000000))))]],
      "writer size t",
    },
    says = {
      [[f.say("%s conditional appends in a row to %s had less than %s bytes each, and each was sent after DATA_APPENDED for the previous one", K.ACKED_LIMIT, writer.segment, K.TINY)]],
      "writer",
    },
    cause = "The client flushes a byte stream, or updates a shared state, after each small write: each costs a round trip.",
  },
  {
    id = "PRV-B12",
    name = "prv_b12",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Appends of one event each (no batching)",
    on = "end:writer",
    evidence = { [[f.first_known(writer.single_latest_n, writer.single_second_n)]], "writer" },
    needs = { "object", "both" },
    of = "writer",
    again = true,
    when = {
      [[((writer.single_count ~= nil and writer.single_count >= K.SINGLE_LIMIT) and (writer.single_count ~= nil and writer.appends ~= nil and (writer.single_count * 100) >= (writer.appends * 80)))]],
      "writer",
    },
    says = {
      [[f.say("%s of %s appends to %s had one event, while other events of the writer were unacknowledged", writer.single_count, writer.appends, writer.segment)]],
      "writer",
    },
    cause = "The writer does not batch: each append costs a frame and an operation of the segment store.",
  },
  {
    id = "PRV-B57",
    name = "prv_b57",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Appends of a few bytes each",
    on = "end:writer",
    evidence = { [[f.first_known(writer.crumbs_latest_n, writer.crumbs_second_n)]], "writer" },
    needs = { "both" },
    of = "writer",
    again = true,
    when = {
      [[((writer.crumbs_count ~= nil and writer.crumbs_count >= K.CRUMB_LIMIT) and (writer.crumbs_count ~= nil and writer.appends ~= nil and (writer.crumbs_count * 100) >= (writer.appends * 80)))]],
      "writer",
    },
    says = {
      [[f.say("%s of %s appends to %s had less than %s bytes each", writer.crumbs_count, writer.appends, writer.segment, K.EVENT_HEAD)]],
      "writer",
    },
    cause = "A byte stream is written without a buffer: each byte or number costs two commands and an operation of the segment store.",
  },
  {
    id = "PRV-B23",
    name = "prv_b23",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table entries updated one by one",
    on = "update_table_entries",
    since = {
      [[f.since(conn, f.coalesce(entered_singly.second_n, n), n, entered_singly.first_n)]],
      "conn entered_singly n",
    },
    needs = { "since", "both" },
    of = "entered_singly",
    guard = 111,
    when = {
      [[((entered_singly.times ~= nil and (entered_singly.times + 1) >= K.STEP_LIMIT) and ((entered_singly.open == 0) and (entered_singly.answered_t ~= nil and f.max((entered_singly.took ~= nil and (entered_singly.took * 3) or nil), 5000000) ~= nil and (t - entered_singly.answered_t) <= f.max((entered_singly.took ~= nil and (entered_singly.took * 3) or nil), 5000000))))]],
      "entered_singly t",
    },
    says = {
      [[f.say("%s UPDATE_TABLE_ENTRIES in a row for %s had one entry each, and were sent right after the answer to the one before", K.STEP_LIMIT, c.segment)]],
      "c",
    },
    cause = "Each costs a round trip; a request takes any number of entries.",
  },
  {
    id = "PRV-B58",
    name = "prv_b58",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table keys removed one by one",
    on = "remove_table_keys",
    since = {
      [[f.since(conn, f.coalesce(removed_singly.second_n, n), n, removed_singly.first_n)]],
      "conn removed_singly n",
    },
    needs = { "since", "both" },
    of = "removed_singly",
    guard = 112,
    when = {
      [[((removed_singly.times ~= nil and (removed_singly.times + 1) >= K.STEP_LIMIT) and ((removed_singly.open == 0) and (removed_singly.answered_t ~= nil and f.max((removed_singly.took ~= nil and (removed_singly.took * 3) or nil), 5000000) ~= nil and (t - removed_singly.answered_t) <= f.max((removed_singly.took ~= nil and (removed_singly.took * 3) or nil), 5000000))))]],
      "removed_singly t",
    },
    says = {
      [[f.say("%s REMOVE_TABLE_KEYS in a row for %s had one key each, and were sent right after the answer to the one before", K.STEP_LIMIT, c.segment)]],
      "c",
    },
    cause = "Each costs a round trip; a request takes any number of keys.",
  },
  {
    id = "PRV-B58b",
    name = "prv_b58b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "One key of a table removed repeatedly",
    on = "table_keys_removed",
    since = {
      [[f.since(conn, req.n, n, removed_again.second_n, removed_again.first_n)]],
      "conn req n removed_again",
    },
    needs = { "since" },
    of = "removed_again",
    guard = 4,
    when = {
      [[((removed_again.times ~= nil and (removed_again.times + 1) >= K.REMOVED_LIMIT) and (removed_again.latest_t ~= nil and (t - removed_again.latest_t) <= K.REFUSED_PAUSE))]],
      "removed_again t",
    },
    says = {
      [[f.say("one key of %s was removed %s times in a row, and not written in between", c.segment, K.REMOVED_LIMIT)]],
      "c",
    },
    cause = "The client does not look at the answer, or several parts of it clean up.",
  },
  {
    id = "PRV-B24",
    name = "prv_b24",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table keys read one by one",
    on = "read_table",
    since = {
      [[f.since(conn, f.coalesce(looked_up.second_n, n), n, looked_up.first_n)]],
      "conn looked_up n",
    },
    needs = { "since", "both" },
    of = "looked_up",
    guard = 112,
    when = {
      [[((looked_up.times ~= nil and (looked_up.times + 1) >= K.STEP_LIMIT) and ((looked_up.open == 0) and (looked_up.answered_t ~= nil and f.max((looked_up.took ~= nil and (looked_up.took * 3) or nil), 5000000) ~= nil and (t - looked_up.answered_t) <= f.max((looked_up.took ~= nil and (looked_up.took * 3) or nil), 5000000))))]],
      "looked_up t",
    },
    says = {
      [[f.say("%s READ_TABLE in a row for %s asked for one key each, right after the answer to the one before", K.STEP_LIMIT, c.segment)]],
      "c",
    },
    cause = "Each costs a round trip; a request takes any number of keys.",
  },
  {
    id = "PRV-B24b",
    name = "prv_b24b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table listed one by one",
    on = "read_table_keys",
    since = {
      [[f.since(conn, f.coalesce(paged_keys.second_n, n), n, paged_keys.first_n)]],
      "conn paged_keys n",
    },
    needs = { "since", "both" },
    of = "paged_keys",
    guard = 113,
    when = {
      [[((paged_keys.times ~= nil and (paged_keys.times + 1) >= K.STEP_LIMIT) and ((paged_keys.open == 0) and (paged_keys.answered_t ~= nil and f.max((paged_keys.took ~= nil and (paged_keys.took * 3) or nil), 5000000) ~= nil and (t - paged_keys.answered_t) <= f.max((paged_keys.took ~= nil and (paged_keys.took * 3) or nil), 5000000))))]],
      "paged_keys t",
    },
    says = {
      [[f.say("%s %s in a row for %s asked for a page of one, right after the answer to the one before", K.STEP_LIMIT, name, c.segment)]],
      "c name",
    },
    cause = "Each costs a round trip; a page may have many.",
  },
  {
    id = "PRV-B24b",
    name = "prv_b24b_2",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Table listed one by one",
    on = "read_table_entries",
    since = {
      [[f.since(conn, f.coalesce(paged_entries.second_n, n), n, paged_entries.first_n)]],
      "conn paged_entries n",
    },
    needs = { "since", "both" },
    of = "paged_entries",
    guard = 114,
    when = {
      [[((paged_entries.times ~= nil and (paged_entries.times + 1) >= K.STEP_LIMIT) and ((paged_entries.open == 0) and (paged_entries.answered_t ~= nil and f.max((paged_entries.took ~= nil and (paged_entries.took * 3) or nil), 5000000) ~= nil and (t - paged_entries.answered_t) <= f.max((paged_entries.took ~= nil and (paged_entries.took * 3) or nil), 5000000))))]],
      "paged_entries t",
    },
    says = {
      [[f.say("%s %s in a row for %s asked for a page of one, right after the answer to the one before", K.STEP_LIMIT, name, c.segment)]],
      "c name",
    },
    cause = "Each costs a round trip; a page may have many.",
  },
  {
    id = "PRV-B73",
    name = "prv_b73",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "All events of a stream with several segments in one of them",
    on = "end:spread",
    evidence = { [[f.first_known(spread.first_n, spread.latest_n, spread.empty_n)]], "spread" },
    needs = {},
    of = "spread",
    when = {
      [[((spread.cut == nil) and (f.count(spread.filled) == 1) and ((f.count(spread.opened) or 1) >= 2) and (spread.events ~= nil and spread.events >= K.SPREAD_EVENTS) and (spread.flow ~= nil and spread.flow >= 0))]],
      "spread",
    },
    says = {
      [[f.say("all %s went to %s, although the writer has opened %s segments of the stream: the others get none", f.counted(spread.events, "event", "events"), spread.segment, f.count(spread.opened))]],
      "spread",
    },
    cause = "All events have the same routing key, or very few keys: the stream is as fast as one segment, and one reader gets everything.",
  },
  {
    id = "PRV-B13",
    name = "prv_b13",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Short-lived Pravega connections in a row",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(reconnected.second_n, conn.n), conn.n, reconnected.first_n)]],
      "reconnected conn",
    },
    needs = { "start", "whole", "both" },
    of = "reconnected",
    when = {
      [[((reconnected.times ~= nil and (reconnected.times + 1) >= K.CONNECTION_LIMIT) and (((C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) <= 2) and (conn.finished == 1)) and (why ~= nil and not LISTS[1][why]) and (conn.start and conn.gapless and conn.both)) and ((reconnected.latest_t ~= nil and conn.t ~= nil and reconnected.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected.latest_t ~= nil and (conn.t - reconnected.latest_t) <= 2000000000.0)))]],
      "reconnected C conn why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s in a row, each with at most one request", client, K.CONNECTION_LIMIT, server)]],
      "client server",
    },
    cause = "The client does not reuse its connections: each costs HELLO and another round trip.",
  },
  {
    id = "PRV-B77",
    name = "prv_b77",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Pravega connections for a few commands each",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(reconnected_often.second_n, conn.n), conn.n, reconnected_often.first_n)]],
      "reconnected_often conn",
    },
    needs = { "start", "whole", "both" },
    of = "reconnected_often",
    when = {
      [[((reconnected_often.times ~= nil and (reconnected_often.times + 1) >= K.CONNECTION_LIMIT) and (((C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) <= K.FEW_FRAMES) and (conn.finished == 1)) and (why ~= nil and not LISTS[1][why]) and (conn.start and conn.gapless and conn.both)) and ((reconnected_often.latest_t ~= nil and conn.t ~= nil and reconnected_often.latest_t <= (conn.t + 0)) and (conn.t ~= nil and reconnected_often.latest_t ~= nil and (conn.t - reconnected_often.latest_t) <= 10000000000.0)))]],
      "reconnected_often C conn why",
    },
    says = {
      [[f.say("%s opened and closed %s connections to %s one after another, each with at most %s commands", client, K.CONNECTION_LIMIT, server, K.FEW_FRAMES)]],
      "client server",
    },
    cause = "The client makes a writer, a reader or a client factory for each task: each of its connections costs HELLO and another round trip.",
  },
  {
    id = "PRV-B14",
    name = "prv_b14",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections left open after one request",
    on = "end:left_open",
    evidence = { [[f.first_known(left_open.latest_n, left_open.first_n)]], "left_open" },
    needs = {},
    of = "left_open",
    when = {
      [[((left_open.left ~= nil and left_open.left >= K.CONNECTION_LIMIT) and (left_open.left ~= nil and left_open.all ~= nil and (left_open.left * 100) >= (left_open.all * 0)) and (left_open.all ~= nil and (f.coalesce(left_open.ended, 0) * 100) <= (left_open.all * 100)))]],
      "left_open",
    },
    says = {
      [[f.say("%s connections of the client were left open after one request and not used again", left_open.left)]],
      "left_open",
    },
    cause = "The client opens a connection for each request and does not close it: connections and memory of the store grow without bound.",
  },
  {
    id = "PRV-B14b",
    name = "prv_b14b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Connections left open after a few commands",
    on = "end:left_idle",
    evidence = { [[f.first_known(left_idle.latest_n, left_idle.first_n)]], "left_idle" },
    needs = {},
    of = "left_idle",
    when = {
      [[((left_idle.left ~= nil and left_idle.left >= K.IDLE_LIMIT) and (left_idle.left ~= nil and left_idle.all ~= nil and (left_idle.left * 100) >= (left_idle.all * 0)) and (left_idle.all ~= nil and (f.coalesce(left_idle.ended, 0) * 100) <= (left_idle.all * 100)))]],
      "left_idle",
    },
    says = {
      [[f.say("%s connections of the client to %s were left open after at most %s commands and not used again", left_idle.left, server, K.FEW_FRAMES)]],
      "left_idle server",
    },
    cause = "The client makes a writer, a reader or a client factory for each task and does not close it: connections and memory of the store grow without bound.",
  },
  {
    id = "PRV-B15",
    name = "prv_b15",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New writer for each event",
    on = "end:brief_writers",
    evidence = { [[f.first_known(brief_writers.latest_n, brief_writers.first_n)]], "brief_writers" },
    needs = {},
    of = "brief_writers",
    when = {
      [[((brief_writers.left ~= nil and brief_writers.left >= K.WRITER_LIMIT) and (brief_writers.left ~= nil and brief_writers.all ~= nil and (brief_writers.left * 100) >= (brief_writers.all * 80)) and (brief_writers.all ~= nil and (f.coalesce(brief_writers.ended, 0) * 100) <= (brief_writers.all * 100)))]],
      "brief_writers",
    },
    says = {
      [[f.say("%s of %s writers of one segment appended at most once", brief_writers.left, brief_writers.all)]],
      "brief_writers",
    },
    cause = "The client creates a writer for each event or attempt: each set-up costs a round trip, and the segment store keeps an attribute for each writer id.",
  },
  {
    id = "PRV-B16",
    name = "prv_b16",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Aborted transaction with appended events",
    on = "delete_segment",
    needs = {},
    of = "transaction",
    when = {
      [[(((f.between(c.segment, "epoch.", "#transaction.") ~= nil) and (transaction.used_n ~= nil) and (transaction.merged_n == nil)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "c transaction captures",
    },
    says = {
      [[f.say("%s is deleted with the events that its writer appended: the transaction was not committed", c.segment)]],
      "c",
    },
    cause = "The client aborted the transaction, or let its lease expire without a commit or a ping: the events are lost.",
  },
  {
    id = "PRV-B25",
    name = "prv_b25",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Repeated connections closed by the store after a few commands",
    on = "end:conn",
    evidence = {
      [[f.first_known(f.coalesce(dropped.second_n, conn.n), conn.n, dropped.first_n)]],
      "dropped conn",
    },
    needs = { "start", "whole", "both" },
    of = "dropped",
    when = {
      [[((dropped.times ~= nil and (dropped.times + 1) >= K.DROPPED_LIMIT) and (((conn.dropped == 1) and (conn.internal_n == nil) and LISTS[4][(C.frames ~= nil and (C.frames - f.coalesce(conn.alives, 0)) or nil)]) and (why ~= nil and not LISTS[1][why]) and (conn.start and conn.gapless and conn.both)) and ((dropped.latest_t ~= nil and conn.t ~= nil and dropped.latest_t <= (conn.t + 0)) and (conn.t ~= nil and dropped.latest_t ~= nil and (conn.t - dropped.latest_t) <= 5000000000.0)))]],
      "dropped conn C why",
    },
    says = {
      [[f.say("the store closed %s connections of %s in a row after a few commands each", K.DROPPED_LIMIT, client)]],
      "client",
    },
    cause = "The store closes a connection over a command that it cannot process, and the client sends the same again.",
  },
  {
    id = "PRV-B26",
    name = "prv_b26",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Transaction neither committed nor aborted",
    on = "end:transaction",
    evidence = { [[f.first_known(transaction.used_n, transaction.setup_n)]], "transaction" },
    needs = {},
    of = "transaction",
    when = {
      [[(((transaction.setup_n ~= nil) and (transaction.used_n ~= nil) and (transaction.merged_n == nil) and (transaction.deleted_n == nil) and (transaction.used_t ~= nil and (t - transaction.used_t) > K.FORGOTTEN)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "transaction t captures",
    },
    says = { [[f.say("events were appended to a transaction that was neither committed nor aborted")]] },
    cause = "The client forgets the transaction: its events are lost when the lease ends.",
  },
  {
    id = "PRV-B68",
    name = "prv_b68",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Transient segment never merged",
    on = "end:transient",
    evidence = { [[f.first_known(transient.created_n)]], "transient" },
    needs = {},
    of = "transient",
    when = {
      [[((transient.created_n ~= nil) and (transient.merged_n == nil) and (transient.created_t ~= nil and (t - transient.created_t) > K.FORGOTTEN))]],
      "transient t",
    },
    says = {
      [[f.say("%s was created for a large event, and not merged into its segment", transient.segment)]],
      "transient",
    },
    cause = "The client gave up in the middle of a large event, or forgets to merge: the event is not in the stream.",
  },
  {
    id = "PRV-B61",
    name = "prv_b61",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Events truncated that a reader had not read",
    on = "segment_is_truncated",
    needs = { "object" },
    of = "reader",
    when = {
      [[((req.asked == "read_segment") and (c.start_offset ~= nil and reader.reached ~= nil and c.start_offset > reader.reached))]],
      "c req reader",
    },
    says = {
      [[f.say("%s begins at %s now, and the client had read up to %s: %s are lost to it", c.segment, c.start_offset, reader.reached, f.counted((c.start_offset ~= nil and reader.reached ~= nil and (c.start_offset - reader.reached) or nil), "byte", "bytes"))]],
      "c reader",
    },
    cause = "The stream is truncated, by its retention policy or by a program, before this reader has read it.",
  },
  {
    id = "PRV-B27",
    name = "prv_b27",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Segment reread from an old offset after a reconnect",
    on = "read_segment",
    needs = { "start" },
    of = "extent",
    guard = 16,
    when = {
      [[((input.state == "absent") and (extent.flow ~= nil and flow ~= nil and extent.flow ~= flow) and ((c.offset ~= nil and extent.began ~= nil and c.offset <= extent.began) or (c.offset ~= nil and extent.latest ~= nil and c.offset < extent.latest)) and (extent.left_t ~= nil and (t - extent.left_t) <= K.BACK) and (stated.by_n == nil))]],
      "c input extent flow t stated",
    },
    says = {
      [[f.say("%s was read from %s to %s on a connection that ended, and is read from %s again: one reader group gets these events twice", c.segment, extent.began, extent.reached, c.offset)]],
      "c extent",
    },
    cause = "The reader does not keep its position when it connects again.",
  },
  {
    id = "PRV-B27b",
    name = "prv_b27b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Bytes of a segment skipped between two connections",
    on = "read_segment",
    needs = { "start" },
    of = "extent",
    guard = 16,
    when = {
      [[((input.state == "absent") and (extent.flow ~= nil and flow ~= nil and extent.flow ~= flow) and (extent.whole == 1) and (c.offset ~= nil and extent.reached ~= nil and c.offset > extent.reached) and (extent.left_t ~= nil and (t - extent.left_t) <= K.BACK) and (stated.by_n == nil) and (stated.cut_n == nil))]],
      "c input extent flow t stated",
    },
    says = {
      [[f.say("%s was read up to %s on a connection that ended, and is read from %s on: the %s between are not read", c.segment, extent.reached, c.offset, f.counted((c.offset ~= nil and extent.reached ~= nil and (c.offset - extent.reached) or nil), "byte", "bytes"))]],
      "c extent",
    },
    cause = "The reader begins at the end of the segment when it connects again, or at a position that is too late: it does not see these events.",
  },
  {
    id = "PRV-B81",
    name = "prv_b81",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Segment with events that is not read, unlike others of its stream",
    on = "end:shelf",
    evidence = {
      [[f.first_known(f.coalesce(readership.over_n, readership.read_n), shelf.first_n)]],
      "readership shelf",
    },
    needs = {},
    of = "shelf",
    when = {
      [[((store.cut == nil) and (shelf.first_n ~= nil) and (shelf.read_n == nil) and (readership.read_n ~= nil) and ((readership.until_t ~= nil and shelf.first_t ~= nil and (readership.until_t - shelf.first_t) > K.UNREAD_SEGMENT) or ((readership.over_n ~= nil) and (shelf.first_t ~= nil and (t - shelf.first_t) > K.UNREAD_SEGMENT))))]],
      "store shelf readership t",
    },
    says = {
      [[f.say("%s were appended to %s, and in these captures only other segments of %s/%s are read, such as %s", f.counted(shelf.events, "event", "events"), shelf.segment, shelf.scope, shelf.stream, readership.read)]],
      "shelf readership",
    },
    cause = "The reader does not read all segments of the stream.",
    by = { [[((readership.over_n == nil) and 0 or 1)]], "readership" },
    causes = {
      [1] = "The reader takes the end of a segment for that of the stream: it has to ask the controller for the segments that follow, and read them.",
    },
  },
  {
    id = "PRV-B81b",
    name = "prv_b81b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Segment with events that is no longer read, unlike others of its stream",
    on = "end:shelf",
    evidence = { [[f.first_known(shelf.wrote_n, shelf.read_n)]], "shelf" },
    needs = {},
    of = "shelf",
    when = {
      [[((store.cut == nil) and (shelf.wrote_t ~= nil and shelf.looked_t ~= nil and (shelf.wrote_t - shelf.looked_t) > K.LEFT_SEGMENT) and (readership.looked_t ~= nil and shelf.wrote_t ~= nil and readership.looked_t > shelf.wrote_t) and (shelf.wrote_t ~= nil and (t - shelf.wrote_t) > K.UNREAD_SEGMENT))]],
      "store shelf readership t",
    },
    says = {
      [[f.say("events were appended to %s up to %s after it was read last; other segments of %s/%s were read after that", shelf.segment, f.time((shelf.wrote_t ~= nil and shelf.looked_t ~= nil and (shelf.wrote_t - shelf.looked_t) or nil)), shelf.scope, shelf.stream)]],
      "shelf",
    },
    cause = "The reader of the segment has ended or is idle, and no other reader takes the segment over: a reader that ends without leaving its group keeps its segments.",
  },
  {
    id = "PRV-B78",
    name = "prv_b78",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Segment of a stream before it was deleted and created again",
    on = "no_such_segment",
    needs = {},
    of = "fate",
    again = true,
    when = { [[(fate.made_n ~= nil and fate.deleted_n ~= nil and fate.made_n > fate.deleted_n)]], "fate" },
    says = {
      [[f.say("%s is for %s; its stream was deleted in frame %s and created again in frame %s, with other segments", f.coalesce(req.asked, "a request"), c.segment, fate.deleted_n, fate.made_n)]],
      "c req fate",
    },
    cause = "A reader group, a stream cut or a writer still has the segments of the former stream: it gets nothing of the new one until it is reset.",
  },
  {
    id = "PRV-B80",
    name = "prv_b80",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Many segments of a stream that return hardly anything",
    on = "end:breadth",
    evidence = { [[f.first_known(breadth.broad_n, breadth.first_n)]], "breadth" },
    needs = {},
    of = "breadth",
    when = {
      [[((f.count(breadth.segments) ~= nil and f.count(breadth.segments) >= K.BROAD) and (breadth.broad_n ~= nil) and (f.count(breadth.segments) ~= nil and f.coalesce(breadth.bytes, 0) < (f.count(breadth.segments) * K.TINY)))]],
      "breadth",
    },
    says = {
      [[f.say("a client reads %s segments of %s/%s, which brought %s in all", f.count(breadth.segments), breadth.scope, breadth.stream, f.counted(f.coalesce(breadth.bytes, 0), "byte", "bytes"))]],
      "breadth",
    },
    cause = "The stream has far more segments than its events need: each costs a read that waits at the tail, and memory of writers, readers and segment stores.",
  },
  {
    id = "PRV-B69",
    name = "prv_b69",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "State of a program that grows and is never compacted",
    on = "read_segment",
    needs = { "start" },
    of = "extent",
    guard = 16,
    when = {
      [[((input.state == "absent") and (stated.by_n ~= nil) and (stated.cut_n == nil) and (c.offset ~= nil and extent.began ~= nil and c.offset == extent.began) and (extent.again ~= nil and extent.again >= 1))]],
      "c input stated extent",
    },
    says = {
      [[f.say("the updates of a state in %s are read from %s again: %s connections have read them before, the last one up to %s, and nothing was truncated", c.segment, c.offset, (extent.again ~= nil and (extent.again + 1) or nil), extent.reached)]],
      "c extent",
    },
    cause = "The client never compacts its state synchronizer or revisioned stream: each start reads all updates of all runs, most of which are out of date.",
  },
  {
    id = "PRV-B61b",
    name = "prv_b61b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream truncated beyond the position of a reader",
    on = "segment_is_truncated",
    needs = {},
    of = "reader",
    again = true,
    when = {
      [[((req.asked == "read_segment") and (reader.reached == nil) and ((req.start ~= nil and 0 < req.start) and (req.start ~= nil and c.start_offset ~= nil and req.start < c.start_offset)) and (stated.by_n == nil))]],
      "c req reader stated",
    },
    says = {
      [[f.say("a reader continues at %s in %s, which begins at %s now: %s were truncated before it had read them", req.start, c.segment, c.start_offset, f.counted((c.start_offset ~= nil and req.start ~= nil and (c.start_offset - req.start) or nil), "byte", "bytes"))]],
      "c req",
    },
    cause = "The program truncates at the tail, or at a position of its own, or the retention policy keeps too little: the slowest reader group loses events.",
  },
  {
    id = "PRV-B28",
    name = "prv_b28",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Repeated SETUP_APPEND for a sealed segment on new connections",
    on = "setup_append",
    needs = {},
    of = "barred",
    when = { [[(barred.times ~= nil and barred.times >= K.SEALED_LIMIT)]], "barred" },
    says = {
      [[f.say("the writer is set up for %s again, although its appends had the answer SEGMENT_IS_SEALED on %s connections", c.segment, barred.times)]],
      "c barred",
    },
    cause = "The client takes SEGMENT_IS_SEALED for a failed connection: it has to ask the controller for the segments that follow.",
  },
  {
    id = "PRV-B28b",
    name = "prv_b28b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "SETUP_APPEND again for a segment that is sealed",
    on = "setup_append",
    needs = { "object" },
    of = "writer",
    when = {
      [[((writer.state == "sealed") and (writer.segment ~= nil and c.segment ~= nil and writer.segment == c.segment))]],
      "c writer",
    },
    says = {
      [[f.say("the writer is set up for %s again, on the connection on which its appends had the answer SEGMENT_IS_SEALED", c.segment)]],
      "c",
    },
    cause = "The client begins anew instead of asking the controller for the segments that follow.",
  },
  {
    id = "PRV-B28c",
    name = "prv_b28c",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "SETUP_APPEND for a sealed segment on a new connection",
    on = "setup_append",
    needs = {},
    of = "barred",
    when = { [[(barred.times == 1)]], "barred" },
    says = {
      [[f.say("the writer is set up for %s again, although its appends had the answer SEGMENT_IS_SEALED on another connection", c.segment)]],
      "c",
    },
    cause = "The client may take SEGMENT_IS_SEALED for a failed connection: it has to ask the controller for the segments that follow.",
  },
  {
    id = "PRV-B66",
    name = "prv_b66",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Unacknowledged events sent again under a new writer id",
    on = "append_block_end",
    needs = {},
    of = "unstored",
    guard = 38,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer ~= c.writer_id) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(C.block, c["data raw"]))))]],
      "c writer unstored t C",
    },
    says = {
      [[f.say("the append to %s has the same bytes as one that a former writer of the client had sent and that was not acknowledged", writer.segment)]],
      "writer",
    },
    cause = "The client writes again what may be stored: with a new writer id the segment store cannot drop duplicates, so readers may get these events twice.",
  },
  {
    id = "PRV-B66b",
    name = "prv_b66b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored event appended again under another number",
    on = "append_block_end",
    needs = {},
    of = "unstored",
    guard = 38,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(C.block, c["data raw"]))) and ((unstored.again == nil) or (unstored.again ~= nil and unstored.digest ~= nil and unstored.again == unstored.digest)))]],
      "c writer unstored t C",
    },
    says = {
      [[f.say("the append to %s has the same bytes as event %s of this writer on a former connection, and APPEND_SETUP in frame %s says that this one is stored", writer.segment, unstored.lowest, writer.ready_n)]],
      "writer unstored",
    },
    cause = "The client takes an answer that was lost for a failure and appends again with another event number, which is no duplicate to the segment store: it is stored twice.",
  },
  {
    id = "PRV-B66b",
    name = "prv_b66b_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored event appended again under another number",
    on = "conditional_append",
    needs = {},
    of = "unstored",
    guard = 39,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(c["event raw"], c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(c["event raw"], c["data raw"]))) and ((unstored.again == nil) or (unstored.again ~= nil and unstored.digest ~= nil and unstored.again == unstored.digest)))]],
      "c writer unstored t",
    },
    says = {
      [[f.say("the append to %s has the same bytes as event %s of this writer on a former connection, and APPEND_SETUP in frame %s says that this one is stored", writer.segment, unstored.lowest, writer.ready_n)]],
      "writer unstored",
    },
    cause = "The client takes an answer that was lost for a failure and appends again with another event number, which is no duplicate to the segment store: it is stored twice.",
  },
  {
    id = "PRV-B66b",
    name = "prv_b66b_3",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stored event appended again under another number",
    on = "conditional_block_end",
    needs = {},
    of = "unstored",
    guard = 40,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(c["data raw"]) ~= nil and unstored.digest == f.digest(c["data raw"])) and ((unstored.again == nil) or (unstored.again ~= nil and unstored.digest ~= nil and unstored.again == unstored.digest)))]],
      "c writer unstored t",
    },
    says = {
      [[f.say("the append to %s has the same bytes as event %s of this writer on a former connection, and APPEND_SETUP in frame %s says that this one is stored", writer.segment, unstored.lowest, writer.ready_n)]],
      "writer unstored",
    },
    cause = "The client takes an answer that was lost for a failure and appends again with another event number, which is no duplicate to the segment store: it is stored twice.",
  },
  {
    id = "PRV-B66c",
    name = "prv_b66c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored events appended again under other numbers",
    on = "append_block_end",
    needs = {},
    of = "unstored",
    guard = 38,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(C.block, c["data raw"]))) and (unstored.again ~= nil and unstored.digest ~= nil and unstored.again ~= unstored.digest))]],
      "c writer unstored t C",
    },
    says = {
      [[f.say("the append to %s has the same bytes as event %s of this writer on a former connection, and APPEND_SETUP in frame %s says that this one is stored", writer.segment, unstored.lowest, writer.ready_n)]],
      "writer unstored",
    },
    cause = "The client takes an answer that was lost for a failure and appends again with another event number, which is no duplicate to the segment store: each is stored twice.",
  },
  {
    id = "PRV-B66c",
    name = "prv_b66c_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored events appended again under other numbers",
    on = "conditional_append",
    needs = {},
    of = "unstored",
    guard = 39,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(f.coalesce(c["event raw"], c["data raw"])) ~= nil and unstored.digest == f.digest(f.coalesce(c["event raw"], c["data raw"]))) and (unstored.again ~= nil and unstored.digest ~= nil and unstored.again ~= unstored.digest))]],
      "c writer unstored t",
    },
    says = {
      [[f.say("the append to %s has the same bytes as event %s of this writer on a former connection, and APPEND_SETUP in frame %s says that this one is stored", writer.segment, unstored.lowest, writer.ready_n)]],
      "writer unstored",
    },
    cause = "The client takes an answer that was lost for a failure and appends again with another event number, which is no duplicate to the segment store: each is stored twice.",
  },
  {
    id = "PRV-B66c",
    name = "prv_b66c_3",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Stored events appended again under other numbers",
    on = "conditional_block_end",
    needs = {},
    of = "unstored",
    guard = 40,
    when = {
      [[((writer.sent_n == nil) and (unstored.writer ~= nil and c.writer_id ~= nil and unstored.writer == c.writer_id) and (unstored.lowest ~= nil and writer.acked ~= nil and unstored.lowest <= writer.acked) and (writer.acked ~= nil and unstored.sent ~= nil and writer.acked <= unstored.sent) and (unstored.left_t ~= nil and (t - unstored.left_t) <= K.RESENT) and (unstored.digest ~= nil and f.digest(c["data raw"]) ~= nil and unstored.digest == f.digest(c["data raw"])) and (unstored.again ~= nil and unstored.digest ~= nil and unstored.again ~= unstored.digest))]],
      "c writer unstored t",
    },
    says = {
      [[f.say("the append to %s has the same bytes as event %s of this writer on a former connection, and APPEND_SETUP in frame %s says that this one is stored", writer.segment, unstored.lowest, writer.ready_n)]],
      "writer unstored",
    },
    cause = "The client takes an answer that was lost for a failure and appends again with another event number, which is no duplicate to the segment store: each is stored twice.",
  },
  {
    id = "PRV-B29",
    name = "prv_b29",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Unacknowledged events not resent after a reconnect",
    on = "append_block_end",
    needs = { "object", "both" },
    of = "writer",
    when = {
      [[((writer.sent_n == nil) and (pen.sent ~= nil and writer.acked ~= nil and pen.sent > writer.acked) and (c.last_event_number ~= nil and c.num_events ~= nil and f.choose((writer.acked ~= nil and writer.acked > K.NONE), (writer.acked ~= nil and (writer.acked + 1) or nil), pen.first) ~= nil and ((c.last_event_number - c.num_events) + 1) > f.choose((writer.acked ~= nil and writer.acked > K.NONE), (writer.acked ~= nil and (writer.acked + 1) or nil), pen.first)))]],
      "c writer pen",
    },
    says = {
      [[f.say("the writer of %s had sent events up to %s, of which %s was stored last, and goes on with event %s: those between are lost", writer.segment, pen.sent, f.choose((writer.acked ~= nil and writer.acked > K.NONE), writer.acked, "none"), (c.last_event_number ~= nil and c.num_events ~= nil and ((c.last_event_number - c.num_events) + 1) or nil))]],
      "c writer pen",
    },
    cause = "The client drops the events that were not acknowledged when it connects again.",
  },
  {
    id = "PRV-B30",
    name = "prv_b30",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Transaction merged into a segment other than its own",
    on = "merge_segments",
    needs = {},
    of = "conn",
    guard = 115,
    says = {
      [[f.say("%s is merged into %s, which is not the segment that it was begun for", c.source, c.target)]],
      "c",
    },
    cause = "The client mixes up the segments of its transactions.",
  },
  {
    id = "PRV-B75",
    name = "prv_b75",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Each event written twice in a row",
    on = "append_block_end",
    needs = {},
    of = "writer",
    guard = 17,
    when = {
      [[((writer.appends ~= nil and writer.appends < K.SAMPLE) and (not f.starts(f.coalesce(writer.segment, "_system/"), "_system/")) and (f.between(writer.segment, "/_", "/") == nil) and (writer.appends ~= nil and writer.appends <= K.SAMPLE) and (writer.pair ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and writer.pair == f.digest(f.coalesce(C.block, c["data raw"]))) and (writer.run == 1) and ((f.coalesce(writer.pairs, 0) + 1) >= K.PAIR_LIMIT))]],
      "c writer C",
    },
    says = {
      [[f.say("each event for %s is written twice in a row, with an event number each", writer.segment)]],
      "writer",
    },
    cause = "Two parts of the program write the event, or a retry does although the first one was acknowledged: readers get it twice.",
  },
  {
    id = "PRV-B75",
    name = "prv_b75_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Each event written twice in a row",
    on = "append_block_end",
    needs = {},
    of = "writer",
    guard = 116,
    when = {
      [[((writer.appends ~= nil and writer.appends < K.SAMPLE) and (not f.starts(f.coalesce(writer.segment, "_system/"), "_system/")) and (f.between(writer.segment, "/_", "/") == nil))]],
      "writer",
    },
    finds = {
      [[f.predicates.is_doubled("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = {
      [[f.say("each event for %s is written twice in a row, with an event number each", writer.segment)]],
      "writer",
    },
    cause = "Two parts of the program write the event, or a retry does although the first one was acknowledged: readers get it twice.",
  },
  {
    id = "PRV-P81",
    name = "prv_p81",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Event that was converted wrongly",
    on = "append_block_end",
    needs = {},
    of = "writer",
    guard = 91,
    when = {
      [[((writer.appends ~= nil and writer.appends < K.SAMPLE) and (not f.starts(f.coalesce(writer.segment, "_system/"), "_system/")) and (f.between(writer.segment, "/_", "/") == nil))]],
      "writer",
    },
    finds = {
      [[f.predicates.is_mistaken("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = { [[f.say("an event for %s is %s", writer.segment, f.whole(found))]], "writer found" },
    cause = "The program passes a value that it has not encoded, or that was encoded before: readers cannot use it.",
  },
  {
    id = "PRV-P82",
    name = "prv_p82",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Event as encoded text",
    on = "append_block_end",
    needs = {},
    of = "writer",
    guard = 91,
    when = {
      [[((writer.appends ~= nil and writer.appends < K.SAMPLE) and (not f.starts(f.coalesce(writer.segment, "_system/"), "_system/")) and (f.between(writer.segment, "/_", "/") == nil))]],
      "writer",
    },
    finds = {
      [[f.predicates.is_text_of_bytes("C.block data size_of_whole_events num_events", C.block, c["data raw"], c.size_of_whole_events, c.num_events)]],
      "c C",
    },
    says = { [[f.say("an event for %s is %s", writer.segment, f.whole(found))]], "writer found" },
    cause = "The program encodes bytes as text, although an event is bytes: it is a third larger, or twice as large.",
  },
  {
    id = "PRV-B82",
    name = "prv_b82",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Same event written over and over",
    on = "append_block_end",
    needs = {},
    of = "writer",
    guard = 17,
    when = {
      [[((writer.appends ~= nil and writer.appends < K.SAMPLE) and (not f.starts(f.coalesce(writer.segment, "_system/"), "_system/")) and (f.between(writer.segment, "/_", "/") == nil) and (writer.appends ~= nil and writer.appends <= K.SAMPLE) and (writer.pair ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and writer.pair == f.digest(f.coalesce(C.block, c["data raw"]))) and (writer.run ~= nil and (writer.run + 1) >= K.SAME_EVENTS))]],
      "c writer C",
    },
    says = {
      [[f.say("%s appends in a row to %s have the same event", K.SAME_EVENTS, writer.segment)]],
      "writer",
    },
    cause = "A retry does not see that the event was acknowledged, or the program writes a value that does not change.",
  },
  {
    id = "PRV-B84",
    name = "prv_b84",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Events written to the stream that they were read from",
    on = "append_block_end",
    needs = {},
    of = "archive",
    guard = 17,
    when = {
      [[((writer.appends ~= nil and writer.appends < K.SAMPLE) and (not f.starts(f.coalesce(writer.segment, "_system/"), "_system/")) and (f.between(writer.segment, "/_", "/") == nil) and (writer.transaction == nil) and (writer.appends ~= nil and writer.appends <= K.SAMPLE) and (archive.back ~= nil and (archive.back + 1) >= K.RETURNED_LIMIT) and (archive.got_t ~= nil and (t - archive.got_t) <= K.RETURNED_TIME) and (archive.by ~= nil and client ~= nil and archive.by == client) and (archive.got ~= nil and archive.former ~= nil and archive.got ~= archive.former) and (archive.got ~= nil and f.digest(f.coalesce(C.block, c["data raw"])) ~= nil and archive.got == f.digest(f.coalesce(C.block, c["data raw"]))))]],
      "c writer archive t client C",
    },
    says = {
      [[f.say("%s events in a row that are appended to %s had just been read from its stream", K.RETURNED_LIMIT, writer.segment)]],
      "writer",
    },
    cause = "The program writes what it reads to the stream that it reads, for instance to try an event again: each event comes back and is written once more.",
  },
  {
    id = "PRV-B86",
    name = "prv_b86",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Many appends without an acknowledgement",
    on = "append_block_end",
    needs = { "object", "both" },
    of = "writer",
    when = { [[(f.count(writer.waiting) ~= nil and f.count(writer.waiting) >= K.MANY_WAITING)]], "writer" },
    says = {
      [[f.say("%s to %s wait for their acknowledgement, the oldest one for %s", f.counted(f.count(writer.waiting), "append", "appends"), writer.segment, f.time((f.oldest_t(writer.waiting) ~= nil and (t - f.oldest_t(writer.waiting)) or nil)))]],
      "writer t",
    },
    cause = "The client writes without waiting, however slow the segment store is: its memory grows, and all of these are sent again when the connection is lost.",
  },
  {
    id = "PRV-B76",
    name = "prv_b76",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Append without an acknowledgement for a long time",
    on = "end:writer",
    evidence = { [[f.first_known(f.oldest_n(writer.waiting), writer.sent_n)]], "writer" },
    needs = { "object", "both" },
    of = "writer",
    when = {
      [[((why == "end") and ((f.count(writer.waiting) or 0) > 0) and (f.oldest_t(writer.waiting) ~= nil and (t - f.oldest_t(writer.waiting)) > K.UNSTORED))]],
      "why writer t",
    },
    says = {
      [[f.say("%s to %s had no answer, the oldest one for %s", f.counted(f.count(writer.waiting), "append", "appends"), writer.segment, f.time((f.oldest_t(writer.waiting) ~= nil and (t - f.oldest_t(writer.waiting)) or nil)))]],
      "writer t",
    },
    cause = "The segment store does not store it: its container is moving or its storage is away; the writer waits.",
  },
  {
    id = "PRV-B17",
    name = "prv_b17",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Writer id used by two connections at once",
    on = "end:writer",
    evidence = {
      [[f.first_known(shared_writer.second_n, writer.shared_writer_n, writer.sent_n)]],
      "shared_writer writer",
    },
    needs = {},
    of = "shared_writer",
    when = {
      [[((writer.shared_writer_n ~= nil and shared_writer.second_n ~= nil and writer.shared_writer_n < shared_writer.second_n) and (writer.sent_n ~= nil and shared_writer.second_n ~= nil and writer.sent_n > shared_writer.second_n))]],
      "writer shared_writer",
    },
    says = {
      [[f.say("the writer of %s appends up to event %s on this connection, although another connection has set up its id since", writer.segment, writer.sent)]],
      "writer",
    },
    cause = "Two programs, or two threads, append with one writer id: their event numbers collide, so the segment store drops events as duplicates.",
  },
  {
    id = "PRV-B18",
    name = "prv_b18",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Writer id taken over by two connections in turn",
    on = "append_setup",
    needs = {},
    of = "writer_in_turn",
    when = {
      [[(((writer_in_turn.user ~= nil and flow ~= nil and writer_in_turn.user ~= flow) and f.has(writer_in_turn.users, flow)) and ((f.coalesce(writer_in_turn.returns, 0) + 1) >= 2))]],
      "writer_in_turn flow",
    },
    says = {
      [[f.say("a writer of %s is set up again on a connection from which another one had taken it over", c.segment)]],
      "c",
    },
    cause = "Two programs use one writer id: each takes the writer from the other.",
  },
  {
    id = "PRV-B19",
    name = "prv_b19",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Request id reused for concurrent reads",
    on = "read_segment",
    needs = { "start", "whole", "both" },
    of = "reader",
    when = {
      [[(((f.coalesce(reader.under_way_open, 0) + 1) >= K.OPEN_READS) and ((conn.token_refused_n == nil) and (c.request_id ~= nil and c.request_id >= 0)))]],
      "c reader conn",
    },
    says = {
      [[f.say("%s reads of %s with request id %s are outstanding, the last for offset %s", K.OPEN_READS, c.segment, c.request_id, c.offset)]],
      "c",
    },
    cause = "The client does not use a new id for each request: an answer may be matched to the wrong read.",
  },
  {
    id = "PRV-B45",
    name = "prv_b45",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Read sent again while the first one waits",
    on = "read_segment",
    needs = { "start", "whole", "both" },
    of = "asked_again",
    when = {
      [[(((c.request_id ~= nil and c.request_id >= 0) and ((f.coalesce(asked_again.open, 0) + 1) >= K.OPEN_READS)) and ((conn.token_refused_n == nil) and ((not f.starts(c.segment, "_system/")) and (f.between(c.segment, "/_", "/") == nil))))]],
      "c asked_again conn",
    },
    says = {
      [[f.say("%s reads of %s at %s are outstanding on one connection", K.OPEN_READS, c.segment, c.offset)]],
      "c",
    },
    cause = "A read at the tail waits for new events; the client takes the wait for a loss, and reads again: the store answers each of them.",
  },
  {
    id = "PRV-B20",
    name = "prv_b20",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Decreasing truncation offset",
    on = "truncate_segment",
    needs = {},
    of = "truncated_back",
    when = {
      [[(c.truncation_offset ~= nil and truncated_back.last ~= nil and c.truncation_offset < truncated_back.last)]],
      "c truncated_back",
    },
    says = {
      [[f.say("%s is to be truncated at %s, after an earlier truncation at %s", c.segment, c.truncation_offset, truncated_back.last)]],
      "c truncated_back",
    },
    cause = "Two programs truncate the stream, or one uses an old stream cut; truncated data does not come back.",
  },
  {
    id = "PRV-B20b",
    name = "prv_b20b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Segment truncated in many small steps",
    on = "segment_truncated",
    needs = {},
    of = "trimmed",
    when = {
      [[((trimmed.times ~= nil and (trimmed.times + 1) >= K.STEP_LIMIT) and (trimmed.latest_t ~= nil and (t - trimmed.latest_t) <= 2000000000.0))]],
      "trimmed t",
    },
    says = {
      [[f.say("%s TRUNCATE_SEGMENT in a row for %s, at most 2 s apart", K.STEP_LIMIT, f.coalesce(c.segment, req.segment))]],
      "c req",
    },
    cause = "The client truncates after each event or few of them: each costs a round trip and an operation of the segment store.",
  },
  {
    id = "PRV-B32",
    name = "prv_b32",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Creation repeated although the controller answered that it exists",
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    needs = {},
    of = "existing",
    guard = 21,
    when = {
      [[((existing.times ~= nil and (existing.times + 1) >= K.EXISTING_LIMIT) and (existing.latest_t ~= nil and (t - existing.latest_t) <= 2000000000.0))]],
      "existing t",
    },
    says = {
      [[f.say("the client called %s %s times in a row for %s%s%s, at most 2 s apart, and the controller answered each time that it exists", req.method, K.EXISTING_LIMIT, req.scope, ((req.named ~= nil) and "/" or ""), f.coalesce(req.named, ""))]],
      "req",
    },
    cause = "The client does not accept the answer that it exists, or creates before each use.",
  },
  {
    id = "PRV-B36",
    name = "prv_b36",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Creation of what exists, repeated with pauses",
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    needs = {},
    of = "existing_still",
    guard = 21,
    when = {
      [[((existing_still.times ~= nil and (existing_still.times + 1) >= K.EXISTING_STARTS) and (existing_still.latest_t ~= nil and (t - existing_still.latest_t) <= 60000000000.0))]],
      "existing_still t",
    },
    says = {
      [[f.say("the client called %s %s times for %s%s%s, although the controller answered that it exists", req.method, K.EXISTING_STARTS, req.scope, ((req.named ~= nil) and "/" or ""), f.coalesce(req.named, ""))]],
      "req",
    },
    cause = "The client creates before each use, instead of once.",
  },
  {
    id = "PRV-B42",
    name = "prv_b42",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New streams or tables one after another",
    on = "controller_create_stream_status controller_create_key_value_table_status",
    needs = {},
    of = "created_anew",
    guard = 22,
    when = {
      [[((created_anew.times ~= nil and (created_anew.times + 1) >= K.STREAM_LIMIT) and (created_anew.latest_t ~= nil and (t - created_anew.latest_t) <= 10000000000.0))]],
      "created_anew t",
    },
    says = {
      [[f.say("%s %s in a row created something in scope %s, the last one %s", K.STREAM_LIMIT, req.method, req.scope, f.coalesce(req.named, ""))]],
      "req",
    },
    cause = "The client creates a stream for each run, user or message: the controller keeps each with its segments until it is deleted.",
  },
  {
    id = "PRV-B33",
    name = "prv_b33",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New reader groups that are never deleted",
    on = "controller_reader_group_configuration",
    needs = {},
    of = "groups",
    guard = 55,
    when = {
      [[((f.has(groups.names, c.reader_group_name) ~= nil and not f.has(groups.names, c.reader_group_name)) and (f.count(groups.names) ~= nil and (f.count(groups.names) + 1) >= K.GROUP_LIMIT) and (groups.deleted == nil))]],
      "c groups",
    },
    says = {
      [[f.say("reader group %s is number %s that is created, and none was deleted", c.reader_group_name, (f.count(groups.names) ~= nil and (f.count(groups.names) + 1) or nil))]],
      "c groups",
    },
    cause = "The client makes a name for a new reader group at each start, and does not delete the former one: the controller keeps each with its stream or table, and streams are not truncated beyond it.",
  },
  {
    id = "PRV-B33",
    name = "prv_b33_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New reader groups that are never deleted",
    on = "controller_key_value_table_config",
    needs = {},
    of = "groups",
    guard = 56,
    when = {
      [[((f.has(groups.names, f.between(c.kvt_name, "", "_kvtable")) ~= nil and not f.has(groups.names, f.between(c.kvt_name, "", "_kvtable"))) and (f.count(groups.names) ~= nil and (f.count(groups.names) + 1) >= K.GROUP_LIMIT) and (groups.deleted == nil))]],
      "c groups",
    },
    says = {
      [[f.say("reader group %s is number %s that is created, and none was deleted", f.between(c.kvt_name, "", "_kvtable"), (f.count(groups.names) ~= nil and (f.count(groups.names) + 1) or nil))]],
      "c groups",
    },
    cause = "The client makes a name for a new reader group at each start, and does not delete the former one: the controller keeps each with its stream or table, and streams are not truncated beyond it.",
  },
  {
    id = "PRV-B33",
    name = "prv_b33_3",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "New reader groups that are never deleted",
    on = "create_segment create_table_segment",
    needs = {},
    of = "groups",
    when = {
      [[((f.has(groups.names, (f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/"))) ~= nil and not f.has(groups.names, (f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/")))) and (f.count(groups.names) ~= nil and (f.count(groups.names) + 1) >= K.GROUP_LIMIT) and (groups.deleted == nil))]],
      "c groups",
    },
    says = {
      [[f.say("reader group %s is number %s that is created, and none was deleted", (f.between(c.segment, "/_RG", "/") or f.between(c.segment, "/", "_kvtable/")), (f.count(groups.names) ~= nil and (f.count(groups.names) + 1) or nil))]],
      "c groups",
    },
    cause = "The client makes a name for a new reader group at each start, and does not delete the former one: the controller keeps each with its stream or table, and streams are not truncated beyond it.",
  },
  {
    id = "PRV-B34",
    name = "prv_b34",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Transactions with one event each",
    on = "append_block_end",
    needs = {},
    of = "spree",
    guard = 48,
    when = {
      [[((writer.transaction ~= nil) and (writer.transaction ~= nil and spree.latest ~= nil and writer.transaction ~= spree.latest) and (f.has(spree.seen, writer.transaction) ~= nil and not f.has(spree.seen, writer.transaction)) and (spree.events == 1) and ((f.coalesce(spree.alone, 0) + 2) >= K.ALONE_LIMIT) and (spree.latest_t ~= nil and (t - spree.latest_t) <= K.ALONE_PAUSE))]],
      "writer spree t",
    },
    says = {
      [[f.say("the client wrote %s transactions in a row with one event each, and begins another one", (f.coalesce(spree.alone, 0) + 1))]],
      "spree",
    },
    cause = "Each transaction costs calls to the controller, and segments that are created, sealed and merged; an event alone is stored whole without one.",
  },
  {
    id = "PRV-B35",
    name = "prv_b35",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Overlapping reads of a segment",
    on = "segment_read",
    needs = {},
    of = "input",
    guard = 50,
    when = {
      [[(((input.start ~= nil and c.offset ~= nil and input.start < c.offset) and (c.offset ~= nil and input.reached ~= nil and c.offset < input.reached)) and ((f.coalesce(input.again, 0) + 1) >= K.OVERLAP_LIMIT) and (input.reached ~= nil and c.offset ~= nil and c["#data"] ~= nil and ((input.reached - c.offset) * 2) >= c["#data"]))]],
      "c input",
    },
    says = {
      [[f.say("%s reads in a row of %s began inside the bytes of the one before: the read at %s brings %s bytes again", K.OVERLAP_LIMIT, c.segment, c.offset, (input.reached ~= nil and c.offset ~= nil and (input.reached - c.offset) or nil))]],
      "c input",
    },
    cause = "The client asks for far more than it uses of an answer, and drops the rest.",
  },
  {
    id = "PRV-B38",
    name = "prv_b38",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "CommitTransaction or abortTransaction failed",
    on = "controller_txn_status",
    needs = {},
    of = "lapsed_txn",
    guard = 72,
    says = {
      [[f.say("%s for a transaction of %s/%s failed with %s", f.coalesce(req.method, "the call"), req.scope, req.stream, f.named(c.status, names.status_6))]],
      "c req",
    },
    cause = "The controller failed, or the transaction is over. It is a note if a later transaction of the stream is committed.",
    by = {
      [[((lease.alive_t ~= nil and lease.time ~= nil and (t - lease.alive_t) > (lease.time * 1000000)) and 0 or c.status)]],
      "c lease t",
    },
    causes = {
      [0] = "The lease of the transaction has expired without a ping: the controller has aborted it, and its events are lost.",
      [2] = "The stream does not exist.",
      [3] = "The transaction is over: its lease has expired, or it was committed or aborted before.",
    },
  },
  {
    id = "PRV-B38b",
    name = "prv_b38b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Transaction aborted, because no ping came within its lease",
    on = "controller_txn_state",
    needs = {},
    of = "lease",
    again = true,
    guard = 117,
    when = {
      [[((lease.over_n == nil) and (lease.alive_t ~= nil and lease.time ~= nil and (t - lease.alive_t) > (lease.time * 1000000)))]],
      "lease t",
    },
    says = {
      [[f.say("a transaction of %s/%s is %s: its lease of %s ms began %s ago, and no ping has renewed it", req.scope, req.stream, f.named(c.state, names.state), lease.time, f.time((lease.alive_t ~= nil and (t - lease.alive_t) or nil)))]],
      "c req lease t",
    },
    cause = "The program that goes on with the transaction, such as another one that has its id, is too late: its events are lost.",
  },
  {
    id = "PRV-B39",
    name = "prv_b39",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "PingTransaction failed",
    on = "controller_ping_txn_status",
    needs = {},
    of = "conn",
    again = true,
    guard = 118,
    says = {
      [[f.say("pingTransaction for a transaction of %s/%s with a lease of %s ms failed with %s", req.scope, req.stream, req.lease, f.named(c.status, names.status_7))]],
      "c req",
    },
    cause = "The transaction does not continue.",
    by = { [[c.status]], "c" },
    causes = {
      [1] = "The lease is longer than the controller allows.",
      [2] = "The transaction has existed for longer than the controller allows.",
      [4] = "The client pings after its lease has expired.",
      [7] = "The controller does not know the transaction.",
    },
  },
  {
    id = "PRV-B40",
    name = "prv_b40",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "PingTransaction after the end of the transaction",
    on = "controller_ping_txn_request",
    needs = {},
    of = "lease",
    when = { [[(lease.over_t ~= nil and (t - lease.over_t) > K.GRACE)]], "lease t" },
    says = {
      [[f.say("pingTransaction for a transaction of %s/%s was sent %s after %s", c["stream_info.scope"], c["stream_info.stream"], f.time((lease.over_t ~= nil and (t - lease.over_t) or nil)), lease.how)]],
      "c lease t",
    },
    cause = "The client does not stop its pings when the transaction ends.",
  },
  {
    id = "PRV-B41",
    name = "prv_b41",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Transaction opened at the controller and never ended",
    on = "end:lease",
    evidence = { [[f.first_known(lease.opened_n)]], "lease" },
    needs = {},
    of = "lease",
    when = {
      [[((lease.opened_n ~= nil) and (lease.over_n == nil) and (lease.opened_t ~= nil and f.max(K.FORGOTTEN, (lease.time ~= nil and (lease.time * 1000000) or nil)) ~= nil and (t - lease.opened_t) > f.max(K.FORGOTTEN, (lease.time ~= nil and (lease.time * 1000000) or nil))))]],
      "lease t",
    },
    says = {
      [[f.say("a transaction of %s/%s was created and neither committed nor aborted within its lease of %s ms", lease.scope, lease.stream, lease.time)]],
      "lease",
    },
    cause = "The client forgets its transaction: the controller keeps it until the lease ends, and its segments until they are cleaned up.",
  },
  {
    id = "PRV-B43",
    name = "prv_b43",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Transaction pinged far more often than its lease needs",
    on = "controller_ping_txn_request",
    needs = {},
    of = "pinged",
    when = {
      [[((pinged.times ~= nil and (pinged.times + 1) >= K.PING_LIMIT) and (pinged.latest_t ~= nil and c.lease ~= nil and (t - pinged.latest_t) <= math.floor((c.lease * 1000000) / K.PING_PART)))]],
      "c pinged t",
    },
    says = {
      [[f.say("%s pingTransaction in a row for one transaction, each within a %sth of its lease of %s ms after the one before", K.PING_LIMIT, K.PING_PART, c.lease)]],
      "c",
    },
    cause = "The client pings by a timer that ignores the lease, or before each event.",
  },
  {
    id = "PRV-B44",
    name = "prv_b44",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Scope, stream or table not created",
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    needs = {},
    of = "conn",
    again = true,
    guard = 119,
    when = {
      [[((c.status ~= nil and c.status ~= 3) or (name == "controller_create_scope_status"))]],
      "c name",
    },
    says = {
      [[f.say("%s for %s%s%s failed with %s", req.method, req.scope, ((req.named ~= nil) and "/" or ""), f.coalesce(req.named, ""), f.named(c.status, names.status_9))]],
      "c req",
    },
    cause = "The name is not allowed, or the controller failed.",
  },
  {
    id = "PRV-B44b",
    name = "prv_b44b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Change refused by the controller",
    on = "controller_update_stream_status controller_delete_stream_status controller_delete_scope_status controller_delete_kv_table_status controller_delete_reader_group_status controller_update_reader_group_response controller_update_subscriber_status controller_create_reader_group_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 72,
    says = {
      [[f.say("%s%s%s%s%s failed with %s", c["carrier.method"], ((req.scope ~= nil) and " of " or ""), f.coalesce(req.scope, ""), ((req.named ~= nil) and "/" or ""), f.coalesce(req.named, ""), f.named(c.status, names.status_2))]],
      "c req",
    },
    cause = "The object does not exist, or is not in the state that the call needs: a stream must be sealed before it is deleted, a scope empty.",
  },
  {
    id = "PRV-B48",
    name = "prv_b48",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Checkpoints of a reader group initiated and never completed",
    on = "conditional_append",
    since = {
      [[f.since(conn, f.coalesce(progress.initiated_second_n, n), n, progress.initiated_first_n)]],
      "conn progress n",
    },
    needs = { "since" },
    of = "progress",
    when = {
      [[((progress.initiated_times ~= nil and (progress.initiated_times + 1) >= K.CHECKPOINT_LIMIT) and ((f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= nil) and (f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= nil and f.between(c["event raw"], "\000\009\000\001\000\000\000\000", "") ~= f.coalesce(progress.checkpoint, ""))) and (progress.initiated_latest_t ~= nil and (t - progress.initiated_latest_t) <= K.CHECKPOINT_PAUSE))]],
      "c progress t",
    },
    says = {
      [[f.say("%s checkpoints in a row were initiated in the state of the reader group %s, and none was completed or reached by a reader of this client", K.CHECKPOINT_LIMIT, writer.group)]],
      "writer",
    },
    cause = "A reader of the group does not read any more, or has ended without leaving the group: all checkpoints stay in the group's state, which grows. By default the client rejects the fourth.",
  },
  {
    id = "PRV-B64",
    name = "prv_b64",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Reader that joined a reader group and never left it",
    on = "end:roster",
    evidence = { [[f.first_known(roster.joined_n)]], "roster" },
    needs = {},
    of = "roster",
    when = {
      [[(((roster.readers ~= nil and roster.readers > 0) and (roster.closed_t ~= nil)) and (f.coalesce(captures.are_partial, 0) == 0))]],
      "roster captures",
    },
    says = {
      [[f.say("the client's connections ended, and %s that it had added to reader group %s %s still in the state of the group", f.counted(roster.readers, "reader", "readers"), roster.group, ((roster.readers == 1) and "is" or "are"))]],
      "roster",
    },
    cause = "The client ends without closing its readers, and nothing calls readerOffline for them: their segments are read by no other reader.",
  },
  {
    id = "PRV-B79",
    name = "prv_b79",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Readers that join a reader group and leave it, one after another",
    on = "conditional_append",
    needs = {},
    of = "roster",
    when = {
      [[((roster.joined_times ~= nil and (roster.joined_times + 1) >= K.JOINED_LIMIT) and ((writer.group ~= nil) and (f.between(c["event raw"], "\000\002\000\001\000\000\000\000", "") ~= nil) and (f.coalesce(roster.readers, 0) == 0)) and (roster.joined_latest_t ~= nil and (t - roster.joined_latest_t) <= 10000000000.0))]],
      "c roster writer t",
    },
    says = {
      [[f.say("a reader joined reader group %s %s times in a row, at most 10 s apart, each time when no other reader of the client was in it", roster.group, K.JOINED_LIMIT)]],
      "roster",
    },
    cause = "The client makes a reader for each event or batch: each joins the group, takes its segments, releases them and leaves, by several updates of the group's state.",
  },
  {
    id = "PRV-B79",
    name = "prv_b79_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Readers that join a reader group and leave it, one after another",
    on = "update_table_entries",
    needs = {},
    of = "roster",
    when = {
      [[((roster.entered_times ~= nil and (roster.entered_times + 1) >= K.JOINED_LIMIT) and (((c["#entries"] or 2) > 2) and (not f.starts(c.segment, "_system/")) and (f.between(f.last(c["entries.key.data raw[]"]), "16distance_to_tail", "") ~= nil) and (f.first(c["entries.key.key_version[]"]) == -1) and (f.between(f.first(c["entries.key.data raw[]"]), "17assigned_segments/", "") ~= nil) and (f.coalesce(roster.readers, 0) == 0)) and (roster.entered_latest_t ~= nil and (t - roster.entered_latest_t) <= 10000000000.0))]],
      "c roster t",
    },
    says = {
      [[f.say("a reader joined reader group %s %s times in a row, at most 10 s apart, each time when no other reader of the client was in it", roster.group, K.JOINED_LIMIT)]],
      "roster",
    },
    cause = "The client makes a reader for each event or batch: each joins the group, takes its segments, releases them and leaves, by several updates of the group's state.",
  },
  {
    id = "PRV-B89",
    name = "prv_b89",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Reader that gets no segment, because the others release none",
    on = "conditional_append",
    needs = { "whole" },
    of = "holding",
    guard = 120,
    when = {
      [[((holding.manual_n ~= nil) and (holding.cut == nil) and (holding.joined_t ~= nil and (t - holding.joined_t) > K.STARVED))]],
      "holding t",
    },
    says = {
      [[f.say("a reader joined reader group %s %s ago and got no segment, although others hold several; the group has no automatic checkpoints, and nobody has made one", holding.group, f.time((holding.joined_t ~= nil and (t - holding.joined_t) or nil)))]],
      "holding t",
    },
    cause = "Readers release segments to others at checkpoints: with automatic checkpoints disabled, the program has to make some itself (initiateCheckpoint).",
  },
  {
    id = "PRV-B89",
    name = "prv_b89_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Reader that gets no segment, because the others release none",
    on = "end:holding",
    evidence = { [[f.first_known(holding.joined_n, holding.manual_n, holding.taken_n)]], "holding" },
    needs = {},
    of = "holding",
    when = {
      [[((holding.manual_n ~= nil) and (holding.cut == nil) and (holding.joined_t ~= nil and (t - holding.joined_t) > K.STARVED))]],
      "holding t",
    },
    says = {
      [[f.say("a reader joined reader group %s %s ago and got no segment, although others hold several; the group has no automatic checkpoints, and nobody has made one", holding.group, f.time((holding.joined_t ~= nil and (t - holding.joined_t) or nil)))]],
      "holding t",
    },
    cause = "Readers release segments to others at checkpoints: with automatic checkpoints disabled, the program has to make some itself (initiateCheckpoint).",
  },
  {
    id = "PRV-B90",
    name = "prv_b90",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Segment that the next reader of the group begins again",
    on = "read_segment",
    needs = {},
    of = "course",
    when = {
      [[((course.by_n ~= nil and entrance.latest_n ~= nil and course.by_n ~= entrance.latest_n) and (c.offset ~= nil and course.start ~= nil and c.offset <= course.start) and (c.offset ~= nil and course.top ~= nil and c.offset < course.top) and (entrance.several == nil) and ((f.coalesce(course.times, 0) == 0) or (course.moved_n ~= nil)))]],
      "c course entrance",
    },
    says = {
      [[f.say("the reader that joined in frame %s reads %s from %s on: the one before it in the group had begun at %s and read up to %s", entrance.latest_n, c.segment, c.offset, course.start, course.top)]],
      "c entrance course",
    },
    cause = "The reader does not release the slices that it has read, so that the table of the group keeps the former offset: these events are read again.",
  },
  {
    id = "PRV-B90b",
    name = "prv_b90b",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Segment that each reader of the group begins again",
    on = "read_segment",
    needs = {},
    of = "course",
    when = {
      [[((course.by_n ~= nil and entrance.latest_n ~= nil and course.by_n ~= entrance.latest_n) and (c.offset ~= nil and course.start ~= nil and c.offset <= course.start) and (c.offset ~= nil and course.top ~= nil and c.offset < course.top) and (entrance.several == nil) and (course.times ~= nil and course.times > 0) and (course.moved_n == nil))]],
      "c course entrance",
    },
    says = {
      [[f.say("the reader that joined in frame %s reads %s from %s on: the one before it in the group had begun at %s and read up to %s, as others before", entrance.latest_n, c.segment, c.offset, course.start, course.top)]],
      "c entrance course",
    },
    cause = "The reader does not release the slices that it has read, so that the table of the group keeps the former offset: these events are read again.",
  },
  {
    id = "PRV-B65",
    name = "prv_b65",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Segments of a reader group released repeatedly",
    on = "conditional_append",
    needs = {},
    of = "roster",
    when = {
      [[((roster.released_times ~= nil and (roster.released_times + 1) >= K.RELEASE_LIMIT) and ((writer.group ~= nil) and (f.between(c["event raw"], "\000\004\000\001\000\000\000\000", "") ~= nil)) and (roster.released_latest_t ~= nil and (t - roster.released_latest_t) <= K.RELEASE_PAUSE))]],
      "c roster writer t",
    },
    says = {
      [[f.say("readers of the client released a segment of reader group %s %s times in a row, at most %s apart", writer.group, K.RELEASE_LIMIT, f.time(K.RELEASE_PAUSE))]],
      "writer",
    },
    cause = "Readers pass segments back and forth, because readers come and go or their number does not fit that of the segments: each move is a checkpoint and some round trips.",
  },
  {
    id = "PRV-B49",
    name = "prv_b49",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Time of a writer refused by the controller",
    on = "controller_timestamp_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 121,
    says = {
      [[f.say("noteTimestampFromWriter of %s for %s/%s failed with %s", req.noter, req.scope, req.stream, f.named(c.result, names.result_2))]],
      "c req",
    },
    by = { [[c.result]], "c" },
    causes = {
      [1] = "The time is before one that the writer has noted: events that are late have to be noted with the latest time so far, or not at all.",
      [2] = "The position is before one that the writer has noted, or of other segments.",
      [3] = "The controller failed.",
    },
  },
  {
    id = "PRV-B49b",
    name = "prv_b49b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Times of a writer that go back repeatedly",
    on = "controller_timestamp_response",
    needs = {},
    of = "noted_back",
    again = true,
    guard = 24,
    when = {
      [[((noted_back.times ~= nil and (noted_back.times + 1) >= K.NOTED_LIMIT) and (noted_back.latest_t ~= nil and (t - noted_back.latest_t) <= K.NOTED_PAUSE))]],
      "noted_back t",
    },
    says = {
      [[f.say("noteTimestampFromWriter of %s for %s/%s failed %s times with %s", req.noter, req.scope, req.stream, K.NOTED_LIMIT, f.named(c.result, names.result_2))]],
      "c req",
    },
    by = { [[c.result]], "c" },
    causes = {
      [1] = "The time is before one that the writer has noted: events that are late have to be noted with the latest time so far, or not at all.",
      [2] = "The position is before one that the writer has noted, or of other segments.",
      [3] = "The controller failed.",
    },
  },
  {
    id = "PRV-B20c",
    name = "prv_b20c",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Stream truncated in many small steps",
    on = "controller_stream_cut",
    needs = {},
    of = "cut",
    guard = 25,
    when = {
      [[((cut.times ~= nil and (cut.times + 1) >= K.STEP_LIMIT) and (cut.latest_t ~= nil and (t - cut.latest_t) <= K.CUT_PAUSE))]],
      "cut t",
    },
    says = {
      [[f.say("truncateStream was called %s times in a row for %s/%s, at most %s apart", K.STEP_LIMIT, c["stream_info.scope"], c["stream_info.stream"], f.time(K.CUT_PAUSE))]],
      "c",
    },
    cause = "The client truncates after each event or few of them: each call is a workflow of the controller, with several requests to the segment store.",
  },
  {
    id = "PRV-B62",
    name = "prv_b62",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Key of another length than the table has",
    on = "update_table_entries",
    needs = {},
    of = "sheet",
    when = {
      [[((sheet.length ~= nil and sheet.length > 0) and (f.size_of(f.first(c["entries.key.data raw[]"])) ~= nil and sheet.length ~= nil and f.size_of(f.first(c["entries.key.data raw[]"])) ~= sheet.length))]],
      "c sheet",
    },
    says = {
      [[f.say("%s for %s has a key of %s; the keys of this table have %s", name, c.segment, f.counted(f.size_of(f.first(c["entries.key.data raw[]"])), "byte", "bytes"), sheet.length)]],
      "c name sheet",
    },
    cause = "The primary and the secondary key of a table have fixed lengths, and are padded to them: the segment store refuses others.",
  },
  {
    id = "PRV-B62",
    name = "prv_b62_2",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Key of another length than the table has",
    on = "remove_table_keys read_table",
    needs = {},
    of = "sheet",
    when = {
      [[((sheet.length ~= nil and sheet.length > 0) and (f.size_of(f.first(c["keys.data raw[]"])) ~= nil and sheet.length ~= nil and f.size_of(f.first(c["keys.data raw[]"])) ~= sheet.length))]],
      "c sheet",
    },
    says = {
      [[f.say("%s for %s has a key of %s; the keys of this table have %s", name, c.segment, f.counted(f.size_of(f.first(c["keys.data raw[]"])), "byte", "bytes"), sheet.length)]],
      "c name sheet",
    },
    cause = "The primary and the secondary key of a table have fixed lengths, and are padded to them: the segment store refuses others.",
  },
  {
    id = "PRV-B50",
    name = "prv_b50",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Unconditional updates of one key that undo each other",
    on = "update_table_entries",
    needs = {},
    of = "cell",
    guard = 122,
    when = {
      [[((view.seen ~= nil and cell.writes ~= nil and view.seen < cell.writes) or ((cell.pending ~= nil and cell.pending >= 2) and (cell.reads == 0) and (cell.writer ~= nil and flow ~= nil and cell.writer ~= flow)))]],
      "view cell flow",
    },
    says = {
      [[f.say("a key of %s was written without its version, right after a write that the client has not read: the later value replaces the earlier one", c.segment)]],
      "c",
    },
    cause = "If the new value depends on the one that was read, the earlier update is lost: update with the version that was read, and repeat after BadKeyVersion.",
  },
  {
    id = "PRV-B70",
    name = "prv_b70",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Whole table read repeatedly",
    on = "table_keys_read",
    needs = {},
    of = "scanned_keys",
    when = {
      [[((scanned_keys.times ~= nil and (scanned_keys.times + 1) >= K.SCAN_LIMIT) and ((req.continued == 0) and ((c["#keys"] or 1) > 1) and (not f.starts(c.segment, "_system/")) and (conn.internal_n == nil)) and (scanned_keys.latest_t ~= nil and (t - scanned_keys.latest_t) <= K.SCAN_PAUSE))]],
      "c scanned_keys req conn t",
    },
    says = {
      [[f.say("%s lists of %s in a row began at the same key, the last one with %s, at most %s apart", K.SCAN_LIMIT, c.segment, f.counted(c["#keys"], "entry", "entries"), f.time(K.SCAN_PAUSE))]],
      "c",
    },
    cause = "The client reads the table to find one key or what has changed: READ_TABLE reads single keys, READ_TABLE_ENTRIES_DELTA returns changes.",
  },
  {
    id = "PRV-B70",
    name = "prv_b70_2",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Whole table read repeatedly",
    on = "table_entries_read",
    needs = {},
    of = "scanned_entries",
    when = {
      [[((scanned_entries.times ~= nil and (scanned_entries.times + 1) >= K.SCAN_LIMIT) and ((req.continued == 0) and ((c["#entries"] or 1) > 1) and (not f.starts(c.segment, "_system/")) and (conn.internal_n == nil)) and (scanned_entries.latest_t ~= nil and (t - scanned_entries.latest_t) <= K.SCAN_PAUSE))]],
      "c scanned_entries req conn t",
    },
    says = {
      [[f.say("%s lists of %s in a row began at the same key, the last one with %s, at most %s apart", K.SCAN_LIMIT, c.segment, f.counted(c["#entries"], "entry", "entries"), f.time(K.SCAN_PAUSE))]],
      "c",
    },
    cause = "The client reads the table to find one key or what has changed: READ_TABLE reads single keys, READ_TABLE_ENTRIES_DELTA returns changes.",
  },
  {
    id = "PRV-B21",
    name = "prv_b21",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Unanswered segment store request",
    on = "unanswered:call",
    evidence = { [[f.first_known(req.n)]], "req" },
    needs = { "start", "whole", "both" },
    of = "conn",
    when = {
      [[(req.t ~= nil and ((why == "end") and K.UNSTORED or K.ANSWER_LATE) ~= nil and t > (req.t + ((why == "end") and K.UNSTORED or K.ANSWER_LATE)))]],
      "req why t",
    },
    says = {
      [[f.say("%s was not answered within %s, before the connection ended", req.asked, f.time((req.t ~= nil and (t - req.t) or nil)))]],
      "req t",
    },
    cause = "The segment store is overloaded, or its container is about to move; the client gave up.",
  },
  {
    id = "PRV-B31",
    name = "prv_b31",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Request id already in use by an unanswered request",
    on = "flush_to_storage list_storage_chunks get_stream_segment_info get_transaction_info create_segment create_transient_segment create_table_segment create_transaction commit_transaction abort_transaction seal_segment seal_table_segment delete_segment delete_table_segment update_segment_policy get_segment_attribute update_segment_attribute truncate_segment locate_offset merge_segments merge_table_segments merge_segments_batch get_table_segment_info update_table_entries remove_table_keys read_table read_table_keys read_table_entries read_table_entries_delta",
    since = { [[f.since(conn, n, duplicate_of)]], "conn n duplicate_of" },
    needs = { "since", "both" },
    of = "conn",
    guard = 20,
    when = { [[duplicate]], "duplicate" },
    says = {
      [[f.say("%s has request id %s, which belongs to a request without an answer", name, c.request_id)]],
      "c name",
    },
    cause = "The client does not give each request an id of its own: an answer may be taken for that of the other request.",
  },
  {
    id = "PRV-P28c",
    name = "prv_p28c",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stream that scales by its rate, with a target rate of 0",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 123,
    says = {
      [[f.say("%s of %s/%s: scaling type %s with a target rate of %s", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.named(c["scaling_policy.scale_type"], names.scale_type), f.coalesce(c["scaling_policy.target_rate"], 0))]],
      "c",
    },
    cause = "The client sets the type and leaves out the rate: any traffic splits the segments.",
  },
  {
    id = "PRV-P28d",
    name = "prv_p28d",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Target rate that no segment reaches",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 124,
    says = {
      [[f.say("%s of %s/%s: each segment is split above %s %s per second, which no segment reaches", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], c["scaling_policy.target_rate"], ((c["scaling_policy.scale_type"] == 1) and "kB" or "events"))]],
      "c",
    },
    cause = "The rate is in another unit, such as bytes, or of a whole day: it is for one segment, in kilobytes or events per second. The stream never scales.",
  },
  {
    id = "PRV-P28e",
    name = "prv_p28e",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stream that scales by its rate, into one segment",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 125,
    says = {
      [[f.say("%s of %s/%s: a segment above its rate is split into %s", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.counted(f.coalesce(c["scaling_policy.scale_factor"], 0), "segment", "segments"))]],
      "c",
    },
    cause = "The scale factor is the number of segments into which one is split, from 2 on: the stream never scales up.",
  },
  {
    id = "PRV-P28f",
    name = "prv_p28f",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Stream without segments",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 126,
    says = {
      [[f.say("%s of %s/%s: it has %s at least", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.counted(f.coalesce(c["scaling_policy.min_num_segments"], 0), "segment", "segments"))]],
      "c",
    },
    cause = "The client leaves out the number of segments: a stream needs at least one to be written.",
  },
  {
    id = "PRV-P28g",
    name = "prv_p28g",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Stream with very many segments",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 127,
    says = {
      [[f.say("%s of %s/%s: it has %s from the beginning", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.counted(c["scaling_policy.min_num_segments"], "segment", "segments"))]],
      "c",
    },
    cause = "Each segment costs memory of the segment stores and of every writer and reader, and small appends; events per segment become rare.",
  },
  {
    id = "PRV-P70",
    name = "prv_p70",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Retention policy without a type",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 128,
    says = {
      [[f.say("%s of %s/%s: the retention policy keeps %s, and does not say whether of time or size", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], c["retention_policy.retention_param"])]],
      "c",
    },
    cause = "The client leaves out the type: the stream is never truncated.",
  },
  {
    id = "PRV-P70b",
    name = "prv_p70b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Retention policy that keeps nothing",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 129,
    says = {
      [[f.say("%s of %s/%s: retention by %s keeps %s", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.named(c["retention_policy.retention_type"], names.retention_type), f.coalesce(c["retention_policy.retention_param"], 0))]],
      "c",
    },
    cause = "The client leaves out how much is kept: everything is truncated at the next run of the retention service.",
  },
  {
    id = "PRV-P70c",
    name = "prv_p70c",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Retention of seconds",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 130,
    says = {
      [[f.say("%s of %s/%s: events are kept for %s", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.time((c["retention_policy.retention_param"] ~= nil and (c["retention_policy.retention_param"] * 1000000) or nil)))]],
      "c",
    },
    cause = "The time is in milliseconds: seconds, hours or days were written. Readers that are later lose events at the next run of the retention service.",
  },
  {
    id = "PRV-P70d",
    name = "prv_p70d",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Retention of few bytes",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 131,
    says = {
      [[f.say("%s of %s/%s: %s of each stream are kept", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.counted(c["retention_policy.retention_param"], "byte", "bytes"))]],
      "c",
    },
    cause = "The size is in bytes: kilobytes, megabytes or gigabytes were written. Readers lose events at the next run of the retention service.",
  },
  {
    id = "PRV-P70e",
    name = "prv_p70e",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Retention of many years",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 132,
    says = {
      [[f.say("%s of %s/%s: events are kept for %s years", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], (c["retention_policy.retention_param"] ~= nil and math.floor(c["retention_policy.retention_param"] / 31536000000.0) or nil))]],
      "c",
    },
    cause = "The time is in milliseconds: microseconds or nanoseconds were written. The stream is not truncated.",
  },
  {
    id = "PRV-P70f",
    name = "prv_p70f",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Retention policy whose maximum is below its minimum",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    guard = 133,
    says = {
      [[f.say("%s of %s/%s: %s is kept at least and %s at most", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], c["retention_policy.retention_param"], c["retention_policy.retention_max"])]],
      "c",
    },
    cause = "The two are mixed up, or in different units.",
  },
  {
    id = "PRV-P80",
    name = "prv_p80",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name in a call to the controller that was not meant",
    on = "controller_stream_config",
    needs = {},
    of = "conn",
    again = true,
    finds = {
      [[f.predicates.is_mistaken_name("stream_info.scope stream_info.stream", c["stream_info.scope"], c["stream_info.stream"])]],
      "c",
    },
    says = { [[f.say("%s has %s", c["carrier.method"], f.whole(found))]], "c found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "PRV-P80",
    name = "prv_p80_2",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name in a call to the controller that was not meant",
    on = "controller_stream_info",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("scope stream", c.scope, c.stream)]], "c" },
    says = { [[f.say("%s has %s", c["carrier.method"], f.whole(found))]], "c found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "PRV-P80",
    name = "prv_p80_3",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name in a call to the controller that was not meant",
    on = "controller_scope_info",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("scope", c.scope)]], "c" },
    says = { [[f.say("%s has %s", c["carrier.method"], f.whole(found))]], "c found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "PRV-P80",
    name = "prv_p80_4",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name in a call to the controller that was not meant",
    on = "controller_key_value_table_config",
    needs = {},
    of = "conn",
    again = true,
    finds = { [[f.predicates.is_mistaken_name("scope kvt_name", c.scope, c.kvt_name)]], "c" },
    says = { [[f.say("%s has %s", c["carrier.method"], f.whole(found))]], "c found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "PRV-P80",
    name = "prv_p80_5",
    severity = "WARN",
    group = "ASSUMPTION",
    title = "Name in a call to the controller that was not meant",
    on = "controller_reader_group_configuration",
    needs = {},
    of = "conn",
    again = true,
    finds = {
      [[f.predicates.is_mistaken_name("scope reader_group_name", c.scope, c.reader_group_name)]],
      "c",
    },
    says = { [[f.say("%s has %s", c["carrier.method"], f.whole(found))]], "c found" },
    cause = "A variable of the program was not set, or a template not filled in: all programs with the same mistake share the name.",
  },
  {
    id = "PRV-P75",
    name = "prv_p75",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Update of a stream that drops its retention policy",
    on = "controller_stream_config",
    needs = {},
    of = "configured",
    guard = 134,
    when = { [[(configured.retention ~= nil and configured.retention > 0)]], "configured" },
    says = {
      [[f.say("updateStream of %s/%s has no retention policy, unlike the configuration in frame %s", c["stream_info.scope"], c["stream_info.stream"], configured.by_n)]],
      "c configured",
    },
    cause = "An update replaces the whole configuration: the client sends only what it changes, and the rest is lost.",
  },
  {
    id = "PRV-P75b",
    name = "prv_p75b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Update of a stream that drops its scaling policy",
    on = "controller_stream_config",
    needs = {},
    of = "configured",
    guard = 135,
    when = { [[(configured.scaling ~= nil and configured.scaling > 0)]], "configured" },
    says = {
      [[f.say("updateStream of %s/%s has no scaling policy, unlike the configuration in frame %s", c["stream_info.scope"], c["stream_info.stream"], configured.by_n)]],
      "c configured",
    },
    cause = "An update replaces the whole configuration: the client sends only what it changes, and the rest is lost.",
  },
  {
    id = "PRV-P83",
    name = "prv_p83",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Segment store at an address that only its own host reaches",
    on = "controller_node_uri",
    needs = {},
    of = "conn",
    again = true,
    guard = 136,
    when = {
      [[((not f.starts(server, "127.")) and (not f.starts(server, "::1")) and (not f.starts(server, "[::1]")))]],
      "server",
    },
    says = {
      [[f.say("the controller at %s says that a segment is at %s:%s", server, c.endpoint, c.port)]],
      "c server",
    },
    cause = "The segment store publishes the address of its loopback interface: clients on other hosts cannot connect to it.",
  },
  {
    id = "PRV-B71",
    name = "prv_b71",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Configurations of a stream that replace each other",
    on = "controller_stream_config",
    needs = {},
    of = "restated",
    guard = 31,
    when = {
      [[(((restated.user ~= nil and f.digest(c["carrier.message"]) ~= nil and restated.user ~= f.digest(c["carrier.message"])) and f.has(restated.users, f.digest(c["carrier.message"]))) and ((f.coalesce(restated.returns, 0) + 1) >= 2))]],
      "c restated",
    },
    says = {
      [[f.say("updateStream of %s/%s returns to a configuration that another one has replaced, for the second time", c["stream_info.scope"], c["stream_info.stream"])]],
      "c",
    },
    cause = "Two programs, or two places of one, state different configurations at each start: a different number of segments seals all of the stream and creates others each time.",
  },
  {
    id = "PRV-P71",
    name = "prv_p71",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Lease of a transaction of less than a second",
    on = "controller_create_txn_request controller_ping_txn_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 137,
    says = {
      [[f.say("%s for %s/%s asks for a lease of %s ms", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.coalesce(c.lease, 0))]],
      "c",
    },
    cause = "The lease is in milliseconds: seconds or minutes were written. The transaction is aborted before it can be committed; the client of Java asks for 10 s at least.",
  },
  {
    id = "PRV-P71b",
    name = "prv_p71b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Lease of a transaction of more than a day",
    on = "controller_create_txn_request controller_ping_txn_request",
    needs = {},
    of = "conn",
    again = true,
    guard = 138,
    says = {
      [[f.say("%s for %s/%s asks for a lease of %s ms", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], f.coalesce(c.lease, 0))]],
      "c",
    },
    cause = "The lease is in milliseconds: microseconds or nanoseconds were written. Controllers allow some minutes (transaction.lease.count.max).",
  },
  {
    id = "PRV-P72b",
    name = "prv_p72b",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Scale that seals or makes no segments",
    on = "controller_scale_request",
    needs = {},
    of = "conn",
    guard = 139,
    says = {
      [[f.say("scale of %s/%s seals %s and makes %s", c["stream_info.scope"], c["stream_info.stream"], f.counted(f.coalesce(c["#sealed_segments"], 0), "segment", "segments"), f.coalesce(c["#new_key_ranges"], 0))]],
      "c",
    },
    cause = "The client leaves out the segments to be sealed, or the ranges of the new ones.",
  },
  {
    id = "PRV-P74",
    name = "prv_p74",
    severity = "NOTE",
    group = "PROTOCOL",
    title = "Times of a reader group in milliseconds that look like seconds",
    on = "controller_reader_group_configuration",
    needs = {},
    of = "conn",
    guard = 140,
    says = {
      [[f.say("%s of %s/%s: the state is refreshed every %s ms, checkpoints come every %s ms", c["carrier.method"], c.scope, c.reader_group_name, c.group_refresh_time_millis, c.automatic_checkpoint_interval_millis)]],
      "c",
    },
    cause = "The times are in milliseconds (3,000 and 30,000 by default): each refresh and each checkpoint costs every reader a round trip, and the state of the group grows.",
  },
  {
    id = "PRV-P76",
    name = "prv_p76",
    severity = "WARN",
    group = "PROTOCOL",
    title = "Key-value table without partitions",
    on = "controller_key_value_table_config",
    needs = {},
    of = "conn",
    guard = 141,
    says = {
      [[f.say("createKeyValueTable of %s/%s asks for %s", c.scope, c.kvt_name, f.counted(f.coalesce(c.partition_count, 0), "partition", "partitions"))]],
      "c",
    },
    cause = "The client leaves out the number of partitions: a table needs at least one.",
  },
  {
    id = "PRV-B51",
    name = "prv_b51",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "List of names read to its first page only",
    on = "controller_scopes_response",
    since = {
      [[f.since(conn, f.coalesce(listing.first_scopes_second_n, req.n), req.n, n, listing.first_scopes_first_n)]],
      "conn listing req n",
    },
    needs = { "since" },
    of = "listing",
    when = {
      [[((listing.first_scopes_times ~= nil and (listing.first_scopes_times + 1) >= K.LISTED_LIMIT) and ((req.token == "") and ((c["#scopes"] or 0) > 0) and ((f.len(f.coalesce(c["continuation_token.token"], "")) or 0) > 0)) and ((listing.first_scopes_latest_t ~= nil and (t - listing.first_scopes_latest_t) <= K.LISTED_PAUSE) and (listing.first_scopes_same ~= nil and listing.first_scopes_same == f.coalesce(c["continuation_token.token"], ""))))]],
      "c listing req t",
    },
    says = {
      [[f.say("%s calls of %s in a row returned the same first page of %s, and none asked for the rest with its continuation token", K.LISTED_LIMIT, req.method, f.counted(c["#scopes"], "name", "names"))]],
      "c req",
    },
    cause = "The client takes the first page for the whole list: what is on the next ones is missing.",
  },
  {
    id = "PRV-B51",
    name = "prv_b51_2",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "List of names read to its first page only",
    on = "controller_streams_in_scope_response",
    since = {
      [[f.since(conn, f.coalesce(listing.first_streams_second_n, req.n), req.n, n, listing.first_streams_first_n)]],
      "conn listing req n",
    },
    needs = { "since" },
    of = "listing",
    when = {
      [[((listing.first_streams_times ~= nil and (listing.first_streams_times + 1) >= K.LISTED_LIMIT) and ((req.token == "") and ((c["#streams"] or 0) > 0) and ((f.len(f.coalesce(c["continuation_token.token"], "")) or 0) > 0)) and ((listing.first_streams_latest_t ~= nil and (t - listing.first_streams_latest_t) <= K.LISTED_PAUSE) and (listing.first_streams_same ~= nil and listing.first_streams_same == f.coalesce(c["continuation_token.token"], ""))))]],
      "c listing req t",
    },
    says = {
      [[f.say("%s calls of %s in a row returned the same first page of %s, and none asked for the rest with its continuation token", K.LISTED_LIMIT, req.method, f.counted(c["#streams"], "name", "names"))]],
      "c req",
    },
    cause = "The client takes the first page for the whole list: what is on the next ones is missing.",
  },
  {
    id = "PRV-B51",
    name = "prv_b51_3",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "List of names read to its first page only",
    on = "controller_kv_tables_in_scope_response",
    since = {
      [[f.since(conn, f.coalesce(listing.first_tables_second_n, req.n), req.n, n, listing.first_tables_first_n)]],
      "conn listing req n",
    },
    needs = { "since" },
    of = "listing",
    when = {
      [[((listing.first_tables_times ~= nil and (listing.first_tables_times + 1) >= K.LISTED_LIMIT) and ((req.token == "") and ((c["#kvtables"] or 0) > 0) and ((f.len(f.coalesce(c["continuation_token.token"], "")) or 0) > 0)) and ((listing.first_tables_latest_t ~= nil and (t - listing.first_tables_latest_t) <= K.LISTED_PAUSE) and (listing.first_tables_same ~= nil and listing.first_tables_same == f.coalesce(c["continuation_token.token"], ""))))]],
      "c listing req t",
    },
    says = {
      [[f.say("%s calls of %s in a row returned the same first page of %s, and none asked for the rest with its continuation token", K.LISTED_LIMIT, req.method, f.counted(c["#kvtables"], "name", "names"))]],
      "c req",
    },
    cause = "The client takes the first page for the whole list: what is on the next ones is missing.",
  },
  {
    id = "PRV-B51b",
    name = "prv_b51b",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Rest of a list of names not asked for",
    on = "end:listing",
    evidence = { [[f.first_known(listing.asked_n, listing.rest_n)]], "listing" },
    needs = {},
    of = "listing",
    when = {
      [[((listing.rest_n ~= nil) and (listing.rest_t ~= nil and (t - listing.rest_t) > K.UNREAD))]],
      "listing t",
    },
    says = {
      [[f.say("%s returned %s with a continuation token, and the client did not ask on with it", listing.method, f.counted(listing.names, "name", "names"))]],
      "listing",
    },
    cause = "The token is there until a page is empty: if there are more names than one page has, the client does not see them.",
  },
  {
    id = "PRV-B51c",
    name = "prv_b51c",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same page of a list of names read repeatedly",
    on = "controller_scopes_response",
    needs = {},
    of = "listing",
    when = {
      [[((listing.same_scopes_times ~= nil and (listing.same_scopes_times + 1) >= K.LISTED_LIMIT) and ((req.token ~= nil and req.token ~= "") and ((c["#scopes"] or 0) > 0)) and ((listing.same_scopes_latest_t ~= nil and (t - listing.same_scopes_latest_t) <= K.LISTED_PAUSE) and (listing.same_scopes_same ~= nil and req.token ~= nil and listing.same_scopes_same == req.token)))]],
      "c listing req t",
    },
    says = {
      [[f.say("%s calls of %s in a row had the same continuation token; the last one returned %s", K.LISTED_LIMIT, req.method, f.counted(c["#scopes"], "name", "names"))]],
      "c req",
    },
    cause = "The client passes on an old continuation token instead of that of the last answer: it does not come to the end of the list.",
  },
  {
    id = "PRV-B51c",
    name = "prv_b51c_2",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same page of a list of names read repeatedly",
    on = "controller_streams_in_scope_response",
    needs = {},
    of = "listing",
    when = {
      [[((listing.same_streams_times ~= nil and (listing.same_streams_times + 1) >= K.LISTED_LIMIT) and ((req.token ~= nil and req.token ~= "") and ((c["#streams"] or 0) > 0)) and ((listing.same_streams_latest_t ~= nil and (t - listing.same_streams_latest_t) <= K.LISTED_PAUSE) and (listing.same_streams_same ~= nil and req.token ~= nil and listing.same_streams_same == req.token)))]],
      "c listing req t",
    },
    says = {
      [[f.say("%s calls of %s in a row had the same continuation token; the last one returned %s", K.LISTED_LIMIT, req.method, f.counted(c["#streams"], "name", "names"))]],
      "c req",
    },
    cause = "The client passes on an old continuation token instead of that of the last answer: it does not come to the end of the list.",
  },
  {
    id = "PRV-B51c",
    name = "prv_b51c_3",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Same page of a list of names read repeatedly",
    on = "controller_kv_tables_in_scope_response",
    needs = {},
    of = "listing",
    when = {
      [[((listing.same_tables_times ~= nil and (listing.same_tables_times + 1) >= K.LISTED_LIMIT) and ((req.token ~= nil and req.token ~= "") and ((c["#kvtables"] or 0) > 0)) and ((listing.same_tables_latest_t ~= nil and (t - listing.same_tables_latest_t) <= K.LISTED_PAUSE) and (listing.same_tables_same ~= nil and req.token ~= nil and listing.same_tables_same == req.token)))]],
      "c listing req t",
    },
    says = {
      [[f.say("%s calls of %s in a row had the same continuation token; the last one returned %s", K.LISTED_LIMIT, req.method, f.counted(c["#kvtables"], "name", "names"))]],
      "c req",
    },
    cause = "The client passes on an old continuation token instead of that of the last answer: it does not come to the end of the list.",
  },
  {
    id = "PRV-B52",
    name = "prv_b52",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Position of a subscriber set back",
    on = "controller_subscriber_stream_cut",
    needs = {},
    of = "subscribed_back",
    when = {
      [[(subscribed_back.last ~= nil and f.coalesce(f.first(c["stream_cut.cut.value[]"]), 0) < subscribed_back.last)]],
      "c subscribed_back",
    },
    says = {
      [[f.say("%s releases %s/%s up to %s in segment %s, after %s before", c.subscriber, c["stream_cut.stream_info.scope"], c["stream_cut.stream_info.stream"], f.coalesce(f.first(c["stream_cut.cut.value[]"]), 0), f.coalesce(f.first(c["stream_cut.cut.key[]"]), 0), subscribed_back.last)]],
      "c subscribed_back",
    },
    cause = "The client reports an old checkpoint, or two programs have one reader group: the stream is not truncated, or already is beyond that position.",
  },
  {
    id = "PRV-B20d",
    name = "prv_b20d",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream truncated at an earlier position than before",
    on = "controller_stream_cut",
    needs = {},
    of = "cut_back",
    guard = 25,
    when = {
      [[(cut_back.last ~= nil and f.coalesce(f.first(c["cut.value[]"]), 0) < cut_back.last)]],
      "c cut_back",
    },
    says = {
      [[f.say("truncateStream of %s/%s at %s in segment %s, after %s before", c["stream_info.scope"], c["stream_info.stream"], f.coalesce(f.first(c["cut.value[]"]), 0), f.coalesce(f.first(c["cut.key[]"]), 0), cut_back.last)]],
      "c cut_back",
    },
    cause = "Two programs truncate the stream, or one uses an old stream cut; truncated data does not come back.",
  },
  {
    id = "PRV-B44c",
    name = "prv_b44c",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Change repeated although the controller refuses it",
    on = "controller_update_stream_status controller_delete_stream_status controller_delete_scope_status controller_delete_kv_table_status controller_delete_reader_group_status controller_update_reader_group_response controller_update_subscriber_status controller_create_reader_group_response controller_scale_response",
    needs = {},
    of = "unchanged",
    when = {
      [[(((unchanged.times ~= nil and (unchanged.times + 1) >= K.CHANGE_LIMIT) and (c.status ~= nil and c.status > 0) and ((unchanged.latest_t ~= nil and (t - unchanged.latest_t) <= K.CHANGE_PAUSE) and (unchanged.same ~= nil and c.status ~= nil and unchanged.same == c.status))) and ((unchanged.slower ~= nil and unchanged.times ~= nil and (unchanged.slower * 4) < ((unchanged.times - 2) * 3)) or (unchanged.latest_t ~= nil and f.coalesce(unchanged.first_gap, (unchanged.latest_t ~= nil and (t - unchanged.latest_t) or nil)) ~= nil and (t - unchanged.latest_t) <= (2 * f.coalesce(unchanged.first_gap, (unchanged.latest_t ~= nil and (t - unchanged.latest_t) or nil))))))]],
      "c unchanged t",
    },
    says = {
      [[f.say("%s of %s%s%s failed %s times in a row with %s", req.method, f.coalesce(req.scope, ""), ((req.named ~= nil) and "/" or ""), f.coalesce(req.named, ""), K.CHANGE_LIMIT, f.named(c.status, names.status_2))]],
      "c req",
    },
    cause = "The client repeats the call, and does not change what the status names.",
  },
  {
    id = "PRV-B44c",
    name = "prv_b44c_2",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Change repeated although the controller refuses it",
    on = "controller_create_scope_status controller_create_stream_status controller_create_key_value_table_status",
    needs = {},
    of = "not_created",
    when = {
      [[(((not_created.times ~= nil and (not_created.times + 1) >= K.CHANGE_LIMIT) and ((c.status ~= nil and c.status > 0) and (c.status ~= nil and c.status ~= 2)) and ((not_created.latest_t ~= nil and (t - not_created.latest_t) <= K.CHANGE_PAUSE) and (not_created.same ~= nil and c.status ~= nil and not_created.same == c.status))) and ((not_created.slower ~= nil and not_created.times ~= nil and (not_created.slower * 4) < ((not_created.times - 2) * 3)) or (not_created.latest_t ~= nil and f.coalesce(not_created.first_gap, (not_created.latest_t ~= nil and (t - not_created.latest_t) or nil)) ~= nil and (t - not_created.latest_t) <= (2 * f.coalesce(not_created.first_gap, (not_created.latest_t ~= nil and (t - not_created.latest_t) or nil))))))]],
      "c not_created t",
    },
    says = {
      [[f.say("%s of %s%s%s failed %s times in a row with %s", req.method, f.coalesce(req.scope, ""), ((req.named ~= nil) and "/" or ""), f.coalesce(req.named, ""), K.CHANGE_LIMIT, f.named(c.status, names.status_9))]],
      "c req",
    },
    cause = "The client repeats the call, and does not change what the status names.",
  },
  {
    id = "PRV-B44d",
    name = "prv_b44d",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream or table not created, because its scope does not exist",
    on = "controller_create_stream_status controller_create_key_value_table_status",
    needs = {},
    of = "conn",
    again = true,
    guard = 142,
    says = {
      [[f.say("%s for %s/%s failed with %s", req.method, req.scope, f.coalesce(req.named, ""), f.named(c.status, names.status))]],
      "c req",
    },
    cause = "The scope was never created, was deleted, or has another name.",
  },
  {
    id = "PRV-B88",
    name = "prv_b88",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Stream without segments to write to",
    on = "controller_segment_ranges",
    needs = {},
    of = "conn",
    again = true,
    guard = 19,
    says = {
      [[f.say("%s of %s/%s has no segments: nothing can be written to the stream", req.method, req.scope, req.named)]],
      "req",
    },
    cause = "The stream is sealed.",
  },
  {
    id = "PRV-B88b",
    name = "prv_b88b",
    severity = "WARN",
    group = "RESPONSE_CODE",
    title = "Segments of a sealed stream asked for repeatedly",
    on = "controller_segment_ranges",
    needs = {},
    of = "without_segments",
    when = {
      [[(((without_segments.times ~= nil and (without_segments.times + 1) >= K.CHANGE_LIMIT) and ((c["carrier.method"] == "getCurrentSegments") and (f.coalesce(c["#segment_ranges"], 0) == 0)) and (without_segments.latest_t ~= nil and (t - without_segments.latest_t) <= K.CHANGE_PAUSE)) and ((without_segments.slower ~= nil and without_segments.times ~= nil and (without_segments.slower * 4) < ((without_segments.times - 2) * 3)) or (without_segments.latest_t ~= nil and f.coalesce(without_segments.first_gap, (without_segments.latest_t ~= nil and (t - without_segments.latest_t) or nil)) ~= nil and (t - without_segments.latest_t) <= (2 * f.coalesce(without_segments.first_gap, (without_segments.latest_t ~= nil and (t - without_segments.latest_t) or nil))))))]],
      "c without_segments t",
    },
    says = {
      [[f.say("%s of %s/%s had no segments %s times in a row: nothing can be written to the stream", req.method, req.scope, req.named, K.CHANGE_LIMIT)]],
      "req",
    },
    cause = "The stream is sealed, and the client opens writers for it in a loop: it has to write to another stream.",
  },
  {
    id = "PRV-B53",
    name = "prv_b53",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Scale refused or failed",
    on = "controller_scale_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 72,
    says = {
      [[f.say("scale of %s/%s failed with %s", req.scope, req.named, f.named(c.status, names.status_4))]],
      "c req",
    },
    cause = "The controller failed.",
    by = { [[c.status]], "c" },
    causes = {
      [2] = "The segments to be sealed are not the current ones, another scale is under way, or the new ranges are not those of the sealed segments.",
    },
  },
  {
    id = "PRV-B72",
    name = "prv_b72",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Stream whose segments are split and merged in turn",
    on = "controller_scale_request",
    since = {
      [[f.since(conn, f.coalesce(scaling.to_and_fro_second_n, n), n, scaling.to_and_fro_first_n)]],
      "conn scaling n",
    },
    needs = { "since" },
    of = "scaling",
    when = {
      [[((scaling.to_and_fro_times ~= nil and (scaling.to_and_fro_times + 1) >= K.TURNED_LIMIT) and (((scaling.way ~= nil and scaling.way > 0) and (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) < 0)) or ((scaling.way ~= nil and scaling.way < 0) and (c["#new_key_ranges"] ~= nil and c["#sealed_segments"] ~= nil and (c["#new_key_ranges"] - c["#sealed_segments"]) > 0))) and (scaling.to_and_fro_latest_t ~= nil and (t - scaling.to_and_fro_latest_t) <= K.TURNED_PAUSE))]],
      "c scaling t",
    },
    says = {
      [[f.say("scale of %s/%s replaces %s by %s: %s scales in a row undo the one before", c["stream_info.scope"], c["stream_info.stream"], f.counted(c["#sealed_segments"], "segment", "segments"), c["#new_key_ranges"], K.TURNED_LIMIT)]],
      "c",
    },
    cause = "A program scales at a threshold without a margin, or two of them have different aims: each scale seals and creates segments, begins an epoch, and makes writers and readers turn to other segments.",
  },
  {
    id = "PRV-B53b",
    name = "prv_b53b",
    severity = "NOTE",
    group = "RESPONSE_CODE",
    title = "Scale that ended with an error",
    on = "controller_scale_status_response",
    needs = {},
    of = "conn",
    again = true,
    guard = 143,
    says = {
      [[f.say("checkScale of %s/%s returned %s", req.scope, req.named, f.named(c.status, names.status_5))]],
      "c req",
    },
    cause = "The epoch is not one of a scale, or the controller failed.",
  },
  {
    id = "PRV-B55",
    name = "prv_b55",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Delegation token requested repeatedly",
    on = "controller_delegation_token",
    needs = {},
    of = "tokens",
    guard = 34,
    when = {
      [[((tokens.times ~= nil and (tokens.times + 1) >= K.TOKEN_LIMIT) and (tokens.latest_t ~= nil and (t - tokens.latest_t) <= K.TOKEN_PAUSE))]],
      "tokens t",
    },
    says = {
      [[f.say("%s delegation tokens in a row for %s/%s, at most %s apart", K.TOKEN_LIMIT, f.coalesce(req.scope, ""), f.coalesce(req.named, ""), f.time(K.TOKEN_PAUSE))]],
      "req",
    },
    cause = "The client asks before each request, and does not keep the token until shortly before it expires.",
  },
  {
    id = "PRV-B36b",
    name = "prv_b36b",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Reader group created repeatedly",
    on = "controller_create_reader_group_response",
    since = {
      [[f.since(conn, f.coalesce(grouped.second_n, req.n), req.n, n, grouped.first_n)]],
      "conn grouped req n",
    },
    needs = { "since" },
    of = "grouped",
    guard = 22,
    when = {
      [[((grouped.times ~= nil and (grouped.times + 1) >= K.EXISTING_STARTS) and (grouped.latest_t ~= nil and (t - grouped.latest_t) <= 60000000000.0))]],
      "grouped t",
    },
    says = {
      [[f.say("the client called %s %s times for %s/%s", req.method, K.EXISTING_STARTS, f.coalesce(req.scope, ""), f.coalesce(req.named, ""))]],
      "req",
    },
    cause = "The client creates the group before each use; one that exists keeps its old configuration and position, whatever is asked for.",
  },
  {
    id = "PRV-B54",
    name = "prv_b54",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Time of a writer noted for each event",
    on = "controller_timestamp_from_writer",
    needs = {},
    of = "times_noted",
    when = {
      [[((times_noted.times ~= nil and (times_noted.times + 1) >= K.TIMES_LIMIT) and (times_noted.latest_t ~= nil and (t - times_noted.latest_t) <= K.TIMES_PAUSE))]],
      "times_noted t",
    },
    says = {
      [[f.say("%s noteTimestampFromWriter in a row by %s, at most %s apart", K.TIMES_LIMIT, c.writer, f.time(K.TIMES_PAUSE))]],
      "c",
    },
    cause = "Each costs a call of the controller, which makes one watermark of all within some seconds.",
  },
  {
    id = "PRV-B87",
    name = "prv_b87",
    severity = "NOTE",
    group = "ASSUMPTION",
    title = "Times of the writers of a stream in different units",
    on = "controller_timestamp_from_writer",
    needs = {},
    of = "timed",
    guard = 144,
    when = {
      [[((timed.writer ~= nil and c.writer ~= nil and timed.writer ~= c.writer) and ((c.timestamp ~= nil and timed.top ~= nil and (c.timestamp * K.OTHER_UNIT) < timed.top) or (c.timestamp ~= nil and timed.top ~= nil and c.timestamp > (timed.top * K.OTHER_UNIT))))]],
      "c timed",
    },
    says = {
      [[f.say("%s notes the time %s for %s/%s, and another writer %s", c.writer, c.timestamp, c["position.stream_info.scope"], c["position.stream_info.stream"], timed.top)]],
      "c timed",
    },
    cause = "One writer counts in seconds or events, another one in milliseconds or nanoseconds: the time of the stream is the least of all, so that watermarks stand still.",
  },
  {
    id = "PRV-B91",
    name = "prv_b91",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Writer that notes no more times while another one of its stream does",
    on = "controller_timestamp_from_writer",
    needs = {},
    of = "timed",
    when = {
      [[((timed.by ~= nil and c.writer ~= nil and timed.by == c.writer) and (timed.other ~= nil) and (timed.alone ~= nil and (timed.alone + 1) >= K.ONE_NOTES_LIMIT) and (timed.other_t ~= nil and (t - timed.other_t) > K.ONE_NOTES_TIME))]],
      "c timed t",
    },
    says = {
      [[f.say("%s noted %s times in a row for %s/%s; %s has noted none for %s, and was not removed", c.writer, (timed.alone ~= nil and (timed.alone + 1) or nil), c["position.stream_info.scope"], c["position.stream_info.stream"], timed.other, f.time((timed.other_t ~= nil and (t - timed.other_t) or nil)))]],
      "c timed t",
    },
    cause = "The watermark of a stream waits for its slowest writer, until timestampAggregationTimeout: the time windows of readers stand still.",
  },
  {
    id = "PRV-B92",
    name = "prv_b92",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Reader group that never releases events of a stream that keeps them for it",
    on = "end:retainer",
    evidence = { [[f.first_known(retainer.made_n)]], "retainer" },
    needs = {},
    of = "retainer",
    when = {
      [[((retainer.manual == 1) and (retainer.released_n == nil) and (retainer.made_t ~= nil and (t - retainer.made_t) > K.UNRELEASED))]],
      "retainer t",
    },
    says = {
      [[f.say("reader group %s was created %s ago as a subscriber that releases events itself, and no updateSubscriberStreamCut came", retainer.group, f.time((retainer.made_t ~= nil and (t - retainer.made_t) or nil)))]],
      "retainer t",
    },
    cause = "The stream is not truncated before what its subscribers have released: the program has to publish a stream cut of what it has read (updateRetentionStreamCut).",
  },
  {
    id = "PRV-B56",
    name = "prv_b56",
    severity = "NOTE",
    group = "SEQUENCE",
    title = "Transaction ended twice",
    on = "controller_txn_request",
    needs = {},
    of = "lease",
    guard = 58,
    when = { [[(lease.over_n ~= nil)]], "lease" },
    says = {
      [[f.say("%s for a transaction of %s/%s, after %s in frame %s", c["carrier.method"], c["stream_info.scope"], c["stream_info.stream"], lease.how, lease.over_n)]],
      "c lease",
    },
    cause = "Two parts of the client end the transaction, or an error handler aborts what was committed.",
  },
  {
    id = "PRV-B63",
    name = "prv_b63",
    severity = "NOTE",
    group = "REQUEST_CODE",
    title = "Transactions committed without an event",
    on = "controller_txn_request",
    since = {
      [[f.since(conn, f.coalesce(author.empty_second_n, n), n, author.empty_first_n)]],
      "conn author n",
    },
    needs = { "since" },
    of = "author",
    when = {
      [[((author.empty_times ~= nil and (author.empty_times + 1) >= K.EMPTY_LIMIT) and ((c["carrier.method"] == "commitTransaction") and (author.asked_n ~= nil and lease.opened_n ~= nil and author.asked_n == lease.opened_n) and (author.wrote_n == nil) and (author.seen_n ~= nil)) and (author.empty_latest_t ~= nil and (t - author.empty_latest_t) <= K.EMPTY_PAUSE))]],
      "c author lease t",
    },
    says = {
      [[f.say("%s transactions in a row were committed and had no event, the last one of %s/%s", K.EMPTY_LIMIT, c["stream_info.scope"], c["stream_info.stream"])]],
      "c",
    },
    cause = "The client begins and commits transactions by a timer: each costs several calls to the controller, and segments that are created, sealed and merged.",
  },
  {
    id = "PRV-P52",
    name = "prv_p52",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append block before the answer to SETUP_APPEND",
    on = "begin_append_block",
    needs = { "object", "both" },
    of = "writer",
    when = { [[(writer.state == "asked")]], "writer" },
    says = {
      [[f.say("%s was sent before SETUP_APPEND in frame %s was answered", name, writer.setup_n)]],
      "name writer",
    },
    cause = "The client does not wait for APPEND_SETUP.",
  },
  {
    id = "PRV-P53",
    name = "prv_p53",
    severity = "ERROR",
    group = "REASSEMBLE",
    title = "PartialMessage begun before the end of the previous one",
    on = "partial_message",
    since = { [[f.since(conn, n, me.partial_n)]], "conn n me" },
    needs = { "since" },
    of = "conn",
    guard = 145,
    when = { [[(me.partial_n ~= nil)]], "me" },
    says = {
      [[f.say("a partial message begins before the one in frame %s has ended", me.partial_n)]],
      "me",
    },
    cause = "The sender mixes the parts of two messages.",
  },
  {
    id = "PRV-P53b",
    name = "prv_p53b",
    severity = "ERROR",
    group = "REASSEMBLE",
    title = "PartialMessage part without its beginning",
    on = "partial_message",
    needs = { "start", "whole" },
    of = "conn",
    guard = 146,
    when = { [[(me.partial_n == nil)]], "me" },
    says = {
      [[f.say("part %s of a partial message has no begin", f.named(c.position, names.position))]],
      "c",
    },
    cause = "The sender leaves out the first part, or ends a message twice.",
  },
  {
    id = "PRV-P53c",
    name = "prv_p53c",
    severity = "WARN",
    group = "REASSEMBLE",
    title = "PartialMessage without its end",
    on = "tcp.close",
    evidence = { [[f.first_known(me.partial_n)]], "me" },
    since = { [[f.since(conn, me.partial_n)]], "conn me" },
    needs = { "since" },
    of = "me",
    when = { [[(me.partial_n ~= nil)]], "me" },
    says = { [[f.say("the partial message has no end when its sender closes the connection")]] },
    cause = "The sender stopped in the middle of a message.",
  },
  {
    id = "PRV-P53d",
    name = "prv_p53d",
    severity = "ERROR",
    group = "PROTOCOL",
    title = "Unknown position in PartialMessage",
    on = "partial_message",
    needs = {},
    of = "conn",
    guard = 147,
    says = {
      [[f.say("the position %s of a partial message is not a begin, middle or end", c.position)]],
      "c",
    },
  },
  {
    id = "PRV-P54",
    name = "prv_p54",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Event outside an append block",
    on = "event partial_event padding",
    needs = { "start", "whole" },
    of = "conn",
    when = { [[(C.draft_n == nil)]], "C" },
    says = { [[f.say("%s was sent outside of an append block", name)]], "name" },
    cause = "The client sends events without beginning a block, or after its end.",
  },
  {
    id = "PRV-P55",
    name = "prv_p55",
    severity = "ERROR",
    group = "REASSEMBLE",
    title = "EndAppendBlock length mismatch",
    on = "end_append_block",
    since = { [[f.since(conn, n, C.draft_n)]], "conn n C" },
    needs = { "since", "whole" },
    of = "writer",
    when = {
      [[((C.draft_n ~= nil) and (C.draft_writer ~= nil and c.connection_id ~= nil and C.draft_writer == c.connection_id) and (me.partial_n == nil) and (c.block_length ~= nil and not f.one_of(c.block_length, {C.block_bytes, C.block_bare, C.block_all})))]],
      "c C me",
    },
    says = {
      [[f.say("EndAppendBlock declares %s, but its block has %s, or %s without the heads of events", f.counted(c.block_length, "byte", "bytes"), C.block_bytes, C.block_bare)]],
      "c C",
    },
    cause = "The client miscounts the block.",
  },
  {
    id = "PRV-P55b",
    name = "prv_p55b",
    severity = "ERROR",
    group = "REASSEMBLE",
    title = "BeginAppendBlock length mismatch",
    on = "end_append_block",
    since = { [[f.since(conn, n, C.draft_n)]], "conn n C" },
    needs = { "since", "whole" },
    of = "writer",
    when = {
      [[((C.draft_n ~= nil) and (C.draft_writer ~= nil and c.connection_id ~= nil and C.draft_writer == c.connection_id) and (C.announced ~= nil and not f.one_of(C.announced, {C.block_bytes, C.block_bare, C.block_all})))]],
      "c C",
    },
    says = {
      [[f.say("BeginAppendBlock announces %s before EndAppendBlock, but %s were sent, or %s without the heads of events", f.counted(C.announced, "byte", "bytes"), C.block_bytes, C.block_bare)]],
      "C",
    },
    cause = "The client announces another size than it writes.",
  },
  {
    id = "PRV-P56",
    name = "prv_p56",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "EndAppendBlock without BeginAppendBlock",
    on = "end_append_block",
    needs = { "start", "whole" },
    of = "writer",
    when = { [[(C.draft_n == nil)]], "C" },
    says = { [[f.say("EndAppendBlock ends no block")]] },
    cause = "The client ends a block twice, or does not begin it.",
  },
  {
    id = "PRV-P57",
    name = "prv_p57",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Append block interrupted by another message (draft)",
    on = "client:any",
    needs = { "whole" },
    of = "conn",
    when = {
      [[((C.draft_n ~= nil) and ((not LISTS[42][name]) or ((name == "end_append_block") and (c.connection_id ~= nil and C.draft_writer ~= nil and c.connection_id ~= C.draft_writer))))]],
      "c C name",
    },
    says = {
      [[f.say("%s was sent before the end of the append block in frame %s", name, C.draft_n)]],
      "name C",
    },
    cause = "The client sends other messages, or a block of another appender, while it fills a block.",
  },
  {
    id = "PRV-P58",
    name = "prv_p58",
    severity = "ERROR",
    group = "SEQUENCE",
    title = "Decreasing connection offset",
    on = "end_append_block",
    needs = { "object" },
    of = "writer",
    when = {
      [[(c.connection_offset ~= nil and writer.offset ~= nil and c.connection_offset < writer.offset)]],
      "c writer",
    },
    says = {
      [[f.say("the connection offset is %s after %s", c.connection_offset, writer.offset)]],
      "c writer",
    },
    cause = "The client counts its bytes anew; the offset counts all bytes of the connection.",
  },
  {
    id = "PRV-P59",
    name = "prv_p59",
    severity = "ERROR",
    group = "RESPONSE_CODE",
    title = "Acknowledged connection offset beyond the bytes sent",
    on = "data_appended",
    needs = { "object", "both" },
    of = "writer",
    when = {
      [[(c.connection_offset_ack_level ~= nil and writer.reach ~= nil and c.connection_offset_ack_level > writer.reach)]],
      "c writer",
    },
    says = {
      [[f.say("offset %s was acknowledged, but the blocks that were sent end at %s", c.connection_offset_ack_level, writer.reach)]],
      "c writer",
    },
  },
  {
    id = "PRV-P60",
    name = "prv_p60",
    severity = "WARN",
    group = "SEQUENCE",
    title = "Pravega frames sent after the server closed the connection",
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
  -- Predicates of rules, as in `predicates.py`: the names of the columns, then their values. What they give is what they found; it
  -- is empty where the condition does not hold.

  local P = {}

  local EVENT = 0
  local HEAD = 8 -- bytes of a type and a length
  local LONGEST = 8 * 1024 * 1024 -- bytes of an event
  local JUDGED, REPEATED = 4, 3 -- events of an append whose content is judged; events in a row that are each written twice

  local function number(raw, from)
    local a, b, c, d = raw:byte(from, from + 3)
    local value = ((a * 256 + b) * 256 + c) * 256 + d
    return value >= 0x80000000 and value - 0x100000000 or value
  end

  -- What an append stores; nil and a reason where its end does not fit its block.
  local function appended(block, content, size)
    if not block then return content end
    local whole = joins({ data = block }, function(name) return name == "data" and content or size end)
    if type(whole) == "string" then return nil, whole end
    return whole.data
  end

  -- The events from the first byte to the last; nil where the bytes are anything else.
  local function events_in(content)
    if #content > HEAD and not content:find("[^%z]") then return nil end
    local events, place = {}, 1
    while place + HEAD <= #content + 1 do
      local kind, length = number(content, place), number(content, place + 4)
      if kind ~= EVENT or length < 0 then return nil end
      events[#events + 1] = content:sub(place + HEAD, place + HEAD + length - 1)
      place = place + HEAD + length
    end
    return place == #content + 1 and events or nil
  end

  local function events_of(block, content, size)
    local whole = appended(block, content, size)
    return whole and whole ~= "" and events_in(whole) or {}
  end

  local function first_found(find_in, events)
    for nth = 1, math.min(JUDGED, #events) do
      local found = find_in(events[nth])
      if found ~= "" then return found end
    end
    return ""
  end

  function P.is_mistaken(_, block, content, size) return first_found(contents.mistaken, events_of(block, content, size)) end

  function P.is_text_of_bytes(_, block, content, size) return first_found(contents.text_of_bytes, events_of(block, content, size)) end

  function P.is_doubled(_, block, content, size)
    local events = events_of(block, content, size)
    if #events % 2 == 1 or #events < 2 * REPEATED then return "" end
    for nth = 1, #events, 2 do
      if events[nth] ~= events[nth + 1] or events[nth] == events[nth - 1] then return "" end
    end
    return ("%d"):format(#events)
  end

  function P.misfits(_, block, content, size)
    local _, wrong = appended(block, content, size)
    return wrong or ""
  end

  function P.is_miscounted(_, block, content, size, count)
    local whole = appended(block, content, size)
    local events = whole and whole ~= "" and events_in(whole)
    return events and #events > count and ("%d"):format(#events) or ""
  end

  function P.has_long_event(_, block, content, size)
    local bytes, limit = block or content, block and size or #content
    if limit < HEAD or limit > #bytes or limit > HEAD and not bytes:sub(1, 2 * HEAD):find("[^%z]") then return "" end
    local place, length = 0, 0
    while place + HEAD <= limit do
      local kind
      kind, length = number(bytes, place + 1), number(bytes, place + 5)
      if kind ~= EVENT or length < 0 or length > LONGEST then return "" end
      place = place + HEAD + length
    end
    return place > limit and near.grouped(length) .. " bytes, of which " .. near.grouped(length - (place - limit)) .. " are" or ""
  end

  function P.is_torn(_, block, content, size)
    local whole = appended(block, content, size)
    if not block or not whole or size <= 0 or size >= #whole then return false end
    local events = events_in(block:sub(1, size))
    return events ~= nil and #events > 0 and not events_in(whole:sub(size + 1))
  end

  function P.is_mistaken_name(_, ...) return near.first_mistaken_name(...) end

  -- Delegation tokens ----------------------------------------------------------------------------------------------

  local function claims_of(token)
    local claims = (token or ""):match("^[^.]*%.([^.]*)")
    return claims and contents.part_of(claims)
  end

  function P.has_expired(_, token, t)
    local claims = claims_of(token)
    local expiry = claims and claims.of.exp
    if type(expiry) ~= "number" or expiry ~= expiry or math.abs(expiry) == math.huge then return "" end
    local ago = t - expiry * 1e9
    return ago > 0 and f.time(ago) or ""
  end

  -- The permissions that a token has for the stream of a segment, those that are not understood among them; whether it has any.
  local function permissions(token, segment)
    local scope, stream = segment:match("^([^/]*)/?([^/]*)")
    local names_of = { [stream] = true, [stream:gsub("_kvtable$", "")] = true, [stream:gsub("^_RG", "")] = true, [stream:gsub("^_MARK", "")] = true }
    local found, claims, is_granted = {}, claims_of(token), false
    for _, name in ipairs(claims and claims.names or {}) do
      local permission = claims.of[name]
      if permission == "READ" or permission == "READ_UPDATE" then
        is_granted = true
        local bare = name:gsub("^prn::", ""):gsub("^/", "")
        local its_scope, its_name = bare:match("^scope:([^/]+)$"), nil
        local is_resource = its_scope ~= nil
        if not is_resource then
          its_scope, its_name = bare:match("^scope:([^/]+)/[a-z-]+:([^/]+)$")
          is_resource = its_scope ~= nil
        end
        if not is_resource then
          local parts = {}
          for part in (name:gsub("^/+", ""):gsub("/+$", "") .. "/"):gmatch("([^/]*)/") do parts[#parts + 1] = part end
          if #parts == 2 then its_scope, its_name = parts[1], parts[2] end
          if #parts ~= 2 then found[permission] = true end
        end
        if name:find("*", 1, true) or its_scope == scope and (not its_name or names_of[its_name]) then found[permission] = true end
      end
    end
    return found, is_granted
  end

  function P.has_foreign_token(_, token, segment)
    local found, is_granted = permissions(token, segment)
    return is_granted and next(found) == nil
  end

  function P.has_read_only_token(_, token, segment)
    local found = permissions(token, segment)
    return found.READ == true and not found.READ_UPDATE
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

-- The steps of a frame of which a line is wanted: numbers at its beginning that nobody refers to are passed over.
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
  if made.slot and is_hidden(made.slot, 0, #text) then own = add_hidden(tree, made.masked, 0) or tree
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
  return code.objects[name] or "NOBODY"
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
    known[1] = (entity or "NOBODY") .. " ~= NOBODY"
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
      line(code, "local req, orphan = NOBODY, false")
      code.objects.req = "req"
    end
    for _, pair in ipairs(code.roles.answers) do
      line(code, "if %1 then", is_possible(code, pair.answer_fixed) and tested(code, pair.answer_guard, pair.answer_when, "req == NOBODY") or "false")
      write_key(code, "key", pair.key and (pair.answer_key or pair.key))
      write_open(code, pair, "3 - side")
      line(code, "req = key ~= nil and open and open[key] or NOBODY")
      if not pair.key then line(code, "if talk.unsure[3 - side][%1] then talk.unsure[3 - side][%1] = t end", quote(pair.name)) end
      line(code, "orphan = req == NOBODY")
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
      line(code, "local %1 = NOBODY", entity)
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
      local slot, there = owner and owner .. "[" .. named(code, timer) .. "]", owner and owner .. " ~= NOBODY"
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
      if tallies[1] then line(code, "if %1 ~= NOBODY then %2 end", entity, table.concat(tallies, " ")) end
    end
    for _, touched in ipairs(code.roles.lifecycles) do
      local entity = code.objects[touched.lifecycle.name]
      if not touched.items then
        if touched.lifecycle.renews then line(code, "if %1 ~= NOBODY then %1.met = true end", entity) end
        if is_shown(touched.lifecycle) then
          line(code, "if not %1.begun_as and %1 ~= NOBODY and %1.state ~= 'absent' and not (%1.unsure and %1.state == 'unknown') then", entity)
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
    if #code.roles.answers > 0 then answers[#answers + 1] = "if req ~= NOBODY then join(n, req.n, req.mark)" end
    if preferences.links and answers[1] then line(code, table.concat(answers, " else") .. " end") end
    if #code.roles.answers > 0 then
      line(code, "if req ~= NOBODY then")
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

local NOBODY = setmetatable({}, { __newindex = function() end }) -- no object: nothing is known of it
local NONE = {}
local MOST_ALIKE, MOST_QUEUED = 1024, 65535 -- requests behind one with the same key, and in the order of the answers
local QUIET = 10e9 -- time in ns after which nobody answers any more

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

-- From a time on, requests may wait that nobody saw. Of lost answers of a side it is known whose they were where nothing
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

-- Whether one of the names of an `on` means this frame.
local function is_on(on, frame, sender)
  for word_of_on in on:gmatch("%S+") do
    local from, what = word_of_on:match("^(%a+):(.+)$")
    if from ~= "client" and from ~= "server" then from, what = nil, word_of_on end
    if (not from or from == sender) and (what == frame.name or not frame.trigger and what == "any"
      or what == "any:" .. (frame.kind or "unknown") or what == "any:coded" and frame.coded) then
      return true
    end
  end
  return false
end

-- What the tables say of a frame from one side.
local function roles_of(frame, sender)
  local function those(all, on)
    local found = {}
    for _, each in ipairs(all) do if each[on] and is_on(each[on], frame, sender) then found[#found + 1] = each end end
    return found
  end
  local roles = { answers = those(PAIRS, "answers"), asks = those(PAIRS, "asks"), lifecycles = {}, steps = {}, each = {} }
  roles.moves, roles.rules, roles.bursts = those(MOVES, "on"), those(RULES, "on"), those(BURSTS, "on")
  roles.starts, roles.clears = {}, {}
  for index, timer in ipairs(TIMERS) do
    roles.starts[index], roles.clears[index] = is_on(timer.on, frame, sender), is_on(timer.clear, frame, sender)
  end
  for _, lifecycle in ipairs(LIVES) do
    local own = { lifecycle = lifecycle, steps = those(lifecycle.steps, "on"), each = those(lifecycle.each, "on"), births = {} }
    for _, birth in ipairs(lifecycle.name ~= "conn" and not frame.of and own.steps or {}) do
      if birth.from.absent then own.births[#own.births + 1] = birth end
    end
    for _, key in ipairs(lifecycle.keys) do
      if not own.key and is_on(key.on, frame, sender) then own.key, own.items, own.guard = key.key, key.items, key.guard end
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
  if key == nil then return NOBODY end
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
  if entity == NOBODY then return entity end
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
  local of, conn = given[rule.of] or NOBODY, given.conn
  if of == conn or of.side then return conn.start and conn.whole end
  return of.born and of.epoch == conn.epoch
end

-- The value of an expression of the tables, where what it names is in a table.
local function result_of(expression, given)
  local say, wanted = compiled(expression)
  local values = {}
  for index = 1, #wanted do
    local value = given[wanted[index]]
    if value == nil and is_object[wanted[index]] then value = NOBODY end
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
  if entity ~= NOBODY then entity[rule] = true end
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
-- Where others may wait before them that nobody saw, those that are answered in order are not kept until it has been quiet.
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
  local me, peer = side and talk.sides[side] or NOBODY, side and talk.sides[3 - side] or NOBODY
  local C, S = client and talk.sides[client] or NOBODY, client and talk.sides[3 - client] or NOBODY
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
  settle = settle, join = join, dialect_of = dialect_of, octets_of = octets_of, links = links, NOBODY = NOBODY, NONE = NONE, pairs = pairs, ipairs = ipairs,
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


-- Messages of calls, inside Wireshark's own gRPC -----------------------------------------------------------------
-- Wireshark asks for readers of messages, but not of empty ones, and says nothing of their streams. So the frames of
-- HTTP/2 are walked here as well, for the messages that end in them, and for the ends of calls.

;(function()

local DIRECTIONS = { ["grpc.message"] = "request", ["grpc.reply"] = "response" } -- slot to what Wireshark calls it
local CONTENT_TYPES = { "application/grpc", "application/grpc+proto" }
local PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" -- what a client of HTTP/2 sends first
local RECORD = "\22\3" -- what TLS begins with, which Wireshark recognises where nobody else takes it
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

-- What messages of one side of a call are; nil where Wireshark hands them over to nobody.
local function kind_of(call) return call.side == side_of() and call.request or call.response end

-- What is around a message of a call.
local function carrier_of(call, bytes)
  return call and { columns = { stream_id = call.stream, path = call.path, method = call.method, message = bytes } }
end

-- Follows a message of these bytes as a row of the conversation, with the values `columns`.
local function follow(call, columns, bytes)
  next_place()
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
  if not view.rooted then return end
  local tree = show_call(root, call)
  tree:append_text(": " .. call.status)
  tree:add(header.request, call.first):set_generated()
  tree:add(header.time, time_span(call.time)):set_generated()
end

-- An empty message, which Wireshark shows to nobody.
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
    while call do -- whose message Wireshark has handed over to nobody
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

end)()
