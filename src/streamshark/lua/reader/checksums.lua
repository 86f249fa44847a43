-- Checksums -------------------------------------------------------------------------------------------------

do

local bxor, rshift, bit_and = bit.bxor, bit.rshift, bit.band

local AT_ONCE = 16 -- bytes that are summed in a round, for calls of functions cost the most

-- What a byte does to a reflected CRC of 32 bits, and what it does when one and more bytes follow in a round.
local function crc_tables(polynomial)
  local tables = {}
  for behind = 1, AT_ONCE do tables[behind] = {} end
  for index = 0, 255 do
    local value = index
    for _ = 1, 8 do
      value = value % 2 ~= 0 and bxor(rshift(value, 1), polynomial) or rshift(value, 1)
    end
    tables[1][index] = value
  end
  for behind = 2, AT_ONCE do
    for index = 0, 255 do
      local value = tables[behind - 1][index]
      tables[behind][index] = bxor(tables[1][bit_and(value, 255)], rshift(value, 8))
    end
  end
  return tables
end

-- The tables are made on first use.
local function crc(polynomial)
  local t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16
  return function(given)
    if not t1 then
      t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16 = unpack(crc_tables(polynomial))
    end
    local value, whole, byte = -1, #given - #given % AT_ONCE, string.byte
    for from = 1, whole, AT_ONCE do
      local a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = byte(given, from, from + 15)
      local mixed = bxor(value, a + b * 256 + c * 65536 + d * 16777216)
      local low = mixed % 256
      mixed = (mixed - low) / 256
      local second = mixed % 256
      mixed = (mixed - second) / 256
      local third = mixed % 256
      local high = (mixed - third) / 256 % 256
      value = bxor(t16[low], t15[second], t14[third], t13[high], t12[e], t11[f], t10[g], t9[h],
        t8[i], t7[j], t6[k], t5[l], t4[m], t3[n], t2[o], t1[p])
    end
    for place = whole + 1, #given do
      value = bxor(t1[bit_and(bxor(value, byte(given, place)), 255)], rshift(value, 8))
    end
    return bit.bnot(value) % 4294967296
  end
end

sums.crc32 = crc(0xEDB88320)
sums.crc32c = crc(0x82F63B78)

end

