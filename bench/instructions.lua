-- Counts the instructions that Lua executes, and prints their number when the program ends. Functions in C count as one
-- instruction each, however long they take. Load it before the plugins.

local EACH = 1000 -- instructions

local thousands = 0
debug.sethook(function() thousands = thousands + 1 end, "", EACH)

-- Kept until Lua is closed; a global is kept no longer than its file is read.
package.loaded["streamshark.instructions"] = setmetatable({}, { __gc = function()
  io.stderr:write(thousands, " thousand instructions of Lua\n")
end })
