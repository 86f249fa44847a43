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
