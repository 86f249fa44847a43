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
