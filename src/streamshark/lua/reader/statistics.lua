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
