-- Checksums -------------------------------------------------------------------------------------------------

do

local bxor, rshift, bit_and = bit.bxor, bit.rshift, bit.band

-- What a byte does to a reflected CRC of 32 bits, and what it does when one to seven more bytes follow.
local function crc_tables(polynomial)
  local tables = { {}, {}, {}, {}, {}, {}, {}, {} }
  for index = 0, 255 do
    local value = index
    for _ = 1, 8 do
      value = value % 2 ~= 0 and bxor(rshift(value, 1), polynomial) or rshift(value, 1)
    end
    tables[1][index] = value
  end
  for behind = 2, 8 do
    for index = 0, 255 do
      local value = tables[behind - 1][index]
      tables[behind][index] = bxor(tables[1][bit_and(value, 255)], rshift(value, 8))
    end
  end
  return tables
end

-- Eight bytes a round, for calls of functions cost the most; the tables are made on first use.
local function crc(polynomial)
  local one, two, three, four, five, six, seven, eight
  return function(given)
    if not one then one, two, three, four, five, six, seven, eight = unpack(crc_tables(polynomial)) end
    local value, whole = -1, #given - #given % 8
    for from = 1, whole, 8 do
      local a, b, c, d, e, g, h, i = given:byte(from, from + 7)
      local mixed = bxor(value, a + b * 256 + c * 65536 + d * 16777216)
      local low = mixed % 256
      mixed = (mixed - low) / 256
      local second = mixed % 256
      mixed = (mixed - second) / 256
      local third = mixed % 256
      local high = (mixed - third) / 256 % 256
      value = bxor(eight[low], seven[second], six[third], five[high], four[e], three[g], two[h], one[i])
    end
    for place = whole + 1, #given do
      value = bxor(one[bit_and(bxor(value, given:byte(place)), 255)], rshift(value, 8))
    end
    return bit.bnot(value) % 4294967296
  end
end

sums.crc32 = crc(0xEDB88320)
sums.crc32c = crc(0x82F63B78)

end

