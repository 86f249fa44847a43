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
  end
end

local function declare_arguments(arguments, made)
  for _, each in ipairs(arguments) do
    each.path = made.path == "" and each.name or made.path .. "." .. each.name
    each.prefix, each.encoding, each.count_path = made.prefix, "utf-8", "#" .. each.path
    declares.argument(each, made.prefix .. "." .. each.path)
    declare_items(each)
    declare_also(each)
  end
end

function declares.line(made) declare_arguments(made.arguments, made) end

function declares.headers(made)
  declare_arguments(made.pieces, made)
  made.field = plain_field("none", made.pieces[3].prefix .. ".headers", { name = "header", doc = "One header." })
end

-- Measures the frame that a line begins: bytes and key, nil for "need more" and the key if it is known, -1 for none.
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
      if most < most_line and may_be then return nil, #verb < #text and verbs[verb:upper()] or nil end
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
  if hidden then add_hidden(item, made, from, hidden)
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
  if each and own.kind == "null" then
    add_layout(from, count, "Value: null")
    return
  end
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
        add_layout(from, count, "List: " .. #own.items .. (#own.items == 1 and " item" or " items"))
        for _, one in ipairs(own.items) do
          add_json_text(each, start_of + one.from, one.behind - one.from - 2, name)
          gather_repeated(each)
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
  add_json_text(made.pieces[1], start_of + key.from, #raw)
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

