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

