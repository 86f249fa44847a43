-- Checksums -------------------------------------------------------------------------------------------------

do

local bxor, rshift, bit_and = bit.bxor, bit.rshift, bit.band

-- A reflected CRC of 32 bits, by a table of 256 entries made on first use.
local function crc(polynomial)
  local entries
  return function(given)
    if not entries then
      entries = {}
      for index = 0, 255 do
        local value = index
        for _ = 1, 8 do
          value = value % 2 ~= 0 and bxor(rshift(value, 1), polynomial) or rshift(value, 1)
        end
        entries[index] = value
      end
    end
    local value = -1
    for from = 1, #given, 64 do -- byte() of many at once costs less than many calls
      local bytes = { given:byte(from, math.min(from + 63, #given)) }
      for index = 1, #bytes do
        value = bxor(entries[bit_and(bxor(value, bytes[index]), 255)], rshift(value, 8))
      end
    end
    return bit.bnot(value) % 4294967296
  end
end

sums.crc32 = crc(0xEDB88320)
sums.crc32c = crc(0x82F63B78)

end

