-- The most bits that a string of Redis has, and the most that Redisson sets for one value: for a probability of the smallest double.
local MOST_BITS, MOST_ITERATIONS = 4294967296, 1074

-- Whether a text is a whole number from 1 to the most.
local function isWithin(text, most)
  return string.match(text, '^%d+$') and tonumber(text) >= 1 and tonumber(text) <= most
end

-- How many bits a filter has (size), and how many of them each value sets (iterations). Instead of that it returns nothing if the filter was never
-- initialized; and nothing and an error if the config is none of a filter.
local function settingsAt(config)
  local size, iterations = unpack(redis.call('hmget', config, 'size', 'hashIterations'))
  if not size or not iterations then
    return nil
  end
  if not isWithin(size, MOST_BITS) or not isWithin(iterations, MOST_ITERATIONS) then
    return nil, redis.error_reply('WRONGTYPE the config is none of a Bloom filter')
  end
  return { size = tonumber(size), iterations = tonumber(iterations) }
end

-- Numbers of 64 bits are two words of 32, since a number of Lua has 53 bits.
local WORD, SIGN, HALF_WORD = 2 ^ 32, 2 ^ 31, 2 ^ 16

local floor = math.floor

-- What is left of a number when it is divided: its words are taken by halves, so that no step has more than 48 bits.
local function remainder(high, low, size)
  local upper = (high % size * HALF_WORD + floor(low / HALF_WORD)) % size
  return (upper * HALF_WORD + low % HALF_WORD) % size
end

-- Visits the bits of the value whose hash of 128 bits begins at a place, until `visit` returns false: the first half of the hash, to which the
-- second half and the first are added in turn, modulo 2^64. Returns whether it never did.
local function eachPosition(hashes, place, settings, visit)
  local high1, low1, high2, low2 = struct.unpack('>I4I4I4I4', hashes, place)
  local high, low = high1, low1
  for i = 1, settings.iterations do
    if not visit(remainder(high % SIGN, low, settings.size)) then
      return false
    end
    if i % 2 == 1 then
      high, low = high + high2, low + low2
    else
      high, low = high + high1, low + low1
    end
    if low >= WORD then
      high, low = high + 1, low - WORD
    end
    high = high % WORD
  end
  return true
end
