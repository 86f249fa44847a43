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
