-- The dialect of a connection from a line on, when it was `dialect` until then: as `connection_kind.py` has it.
-- Arguments without an account: fewer than any other link has.
local PINNED = { ["RS+"] = "^%S+$", ["RS-"] = "^%S+$", RMSG = "^%S+[ \t]+%S+$" }

-- What a member of the object says: a text, "true", a number; nil where it is not there or empty.
local function member(line, name)
  local value = line:match('"' .. name .. '"%s*:%s*"([^"]*)"') or line:match('"' .. name .. '"%s*:%s*([%w%[{]+)')
  if value == "" or value == "false" or value == "null" or value == "0" then return nil end
  return value
end

local function by_info(dialect, line)
  local command = member(line, "gateway_cmd")
  if member(line, "gateway") and command ~= "1" then return "gateway" end
  if member(line, "route_account") and not member(line, "route_acc_add_reqid") then return "pinned_route" end
  if member(line, "lnoc") and dialect ~= "pinned_route" and dialect ~= "route_2.9" then
    return member(line, "lnocu") and "route" or "route_2.9"
  end
  if dialect ~= "" then return dialect end
  if command == "1" then return "route" end
  if member(line, "leafnode_urls") and not member(line, "client_ip") and not member(line, "lnoc") then return "leaf" end
  return dialect
end

local function by_connect(dialect, line)
  if member(line, "gateway") then return "gateway" end
  if dialect ~= "" or member(line, "lang") then return dialect end
  if line:find('"lnoc"%s*:') then return "route" end
  local cluster = line:find('"cluster"%s*:')
  if cluster and line:find('"echo"%s*:') then return "route_2.9" end
  for _, name in ipairs({ "compress_mode", "is_hub", "server_id", "remote_account" }) do
    cluster = cluster or line:find('"' .. name .. '"%s*:')
  end
  return cluster and "leaf" or dialect
end

return function(dialect, line)
  local verb, rest = line:match("^(%S+)[ \t]*(.-)%s*$")
  verb = (verb or ""):upper()
  if verb == "INFO" then return by_info(dialect, line) end
  if verb == "CONNECT" then return by_connect(dialect, line) end
  if (dialect == "" or dialect == "leaf" or dialect == "route") and PINNED[verb] then
    return rest:find(PINNED[verb]) and "pinned_route" or "route"
  end
  if dialect ~= "" then return dialect end
  if verb == "LS-" and rest:find("^%S+[ \t]+%S+[ \t]+%S") then return "route" end
  if verb == "LMSG" or verb:find("^LS[+-]$") then return "leaf" end
  if verb:find("^A[+-]$") then return "gateway" end
  return dialect
end
