-- Text lines and header blocks ------------------------------------------------------------------------------

local MOST_DIGITS = 9
local RESTS = { rest = true, quoted = true } -- kinds of argument that take what is left of the line

function word.argument(kind, name, doc, facts) return step("argument", name, doc, { type = kind }, facts) end

function word.line(verb, arguments) return step("line", nil, nil, { verb = verb, arguments = arguments }) end

function word.headers(version, doc, pieces)
  pieces[3].name, pieces[4].name = "headers.key", "headers.value"
  return step("headers", nil, doc, { version = version, pieces = pieces })
end

function declares.argument(made, name)
  if made.type == "number" then
    made.size = 4
    made.field = number_field(name, made)
  else
    made.field = plain_field("string", name, made)
    if made.secret then made.masked = made.field end
  end
end

local function declare_arguments(arguments, made)
  for _, each in ipairs(arguments) do
    each.path = made.path == "" and each.name or made.path .. "." .. each.name
    each.prefix, each.encoding = made.prefix, "utf-8"
    declares.argument(each, made.prefix .. "." .. each.path)
  end
end

function declares.line(made) declare_arguments(made.arguments, made) end

function declares.headers(made) declare_arguments(made.pieces, made) end

-- Measures the frame that a line begins: bytes and key, nil for "need more", -1 for none.
local function line_measure(verbs, sized, most_line)
  return function(bytes, from, most)
    local text = bytes:raw(from, math.min(most, most_line))
    local line = text:match("^([^\n]*)\n")
    if not line then
      if most < most_line then return nil end
      return -1, ""
    end
    local verb = (line:match("%S+") or ""):upper()
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

-- One token for each argument, all that are left over for the one that takes a list.
local function spread(present, tokens)
  local spare, lists = #tokens, 0
  for _, each in ipairs(present) do
    if each.type == "tokens" then lists = lists + 1 else spare = spare - 1 end
  end
  if spare < 0 or spare > 0 and lists == 0 then return nil end
  local out, next_token = {}, 1
  for _, each in ipairs(present) do
    for _ = 1, each.type == "tokens" and spare or 1 do
      out[#out + 1] = { each, tokens[next_token] }
      next_token = next_token + 1
    end
  end
  return out
end

-- Which argument takes which tokens; nil when they are too few or too many.
local function assigned(arguments, tokens)
  local front = #arguments
  for index, each in ipairs(arguments) do
    if each.mark then
      front = index - 1
      break
    end
  end
  local mark = front < #tokens and tokens[front + 1][2] or ""
  local present, marked = {}, false
  for _, each in ipairs(arguments) do marked = marked or each.mark == mark end
  if marked then
    for index, each in ipairs(arguments) do
      if index <= front or each.mark == mark or not each.mark and not each.optional then present[#present + 1] = each end
    end
    local rest = {}
    for index, each in ipairs(tokens) do
      if index ~= front + 1 then rest[#rest + 1] = each end
    end
    -- those without a mark that always stand come last
    local order = {}
    for index, each in ipairs(present) do if index <= front then order[#order + 1] = each end end
    for index, each in ipairs(present) do if index > front and each.mark then order[#order + 1] = each end end
    for index, each in ipairs(present) do if index > front and not each.mark then order[#order + 1] = each end end
    return spread(order, rest)
  end
  local spare = #tokens
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
  return spare == 0 and spread(present, tokens) or nil
end

local function show_argument(made, from, text)
  if made.type == "number" then
    if not text:match("^%d+$") or #text > MOST_DIGITS then
      problem("number", made, from, #text, "'" .. text .. "'")
      return HALT
    end
    local value = tonumber(text)
    if made.keep then v[made.path] = value end
    if made.tells and telling then tell(made, digits(value)) end
    if item then item:add(made.field, tvb(from, #text), value) end
    return
  end
  if made.type == "quoted" and text:match("^'.*'$") and #text > 1 then from, text = from + 1, text:sub(2, -2) end
  if text == "" and made.optional then return end
  if item and made.slot then
    local own = item:add_packet_field(made.field, tvb(from, #text), ENC_UTF_8 + ENC_BIG_ENDIAN)
    open_slot(made, from, #text, own)
    return
  end
  return add_text(made, from, #text)
end

function read.line(made)
  local raw = tvb:raw(at, stop - at)
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
  local last = made.arguments[#made.arguments]
  local tokens = tokens_of(line, size + 1, last and RESTS[last.type] and #made.arguments or 0)
  local found = assigned(made.arguments, tokens)
  if not found then
    problem("args", made, from, #line, #tokens)
    return HALT
  end
  for _, each in ipairs(found) do
    if show_argument(each[1], from + each[2][1] - 1, each[2][2]) then return HALT end
  end
  at = behind
end

local function halt_headers(made, from, length, what)
  problem("args", made, from, length, what)
  return HALT
end

function read.headers(made)
  local raw, from = tvb:raw(at, stop - at), at
  local version = made.version
  local behind = raw:sub(#version + 1, #version + 1)
  if raw:sub(1, #version) ~= version or raw:sub(-4) ~= "\r\n\r\n"
    or not (behind == " " or behind == "\t" or raw:sub(#version + 1, #version + 2) == "\r\n") then
    return halt_headers(made, at, stop - at, "header block:")
  end
  local end_of_line = raw:find("\r\n", #version + 1, true)
  local status, description = made.pieces[1], made.pieces[2]
  local parts = tokens_of(raw:sub(#version + 1, end_of_line - 1), 1, 2)
  for index, each in ipairs({ status, description }) do
    local part = parts[index]
    local text = part and part[2]:match("^(.-)[ \t]*$") or ""
    if text ~= "" and show_argument(each, from + #version + part[1] - 1, text) then return HALT end
  end
  local place = end_of_line + 2
  while place < #raw - 1 do
    local line_end = raw:find("\r\n", place, true)
    local line = raw:sub(place, line_end - 1)
    local name, value = line:match("^([^:]+):(.*)$")
    if not name then return halt_headers(made, from + place - 1, #line, "header line:") end
    local text = value:match("^[ \t]*(.-)[ \t]*$")
    local begin = place + #line - #value:match("^[ \t]*(.*)$")
    made.pieces[3].optional, made.pieces[4].optional = false, false
    add_text(made.pieces[3], from + place - 1, #name)
    add_text(made.pieces[4], from + begin - 1, #text)
    place = line_end + 2
  end
  at = stop
end

