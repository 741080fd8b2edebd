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

-- The sum of two numbers, modulo 2^64.
local function sum(high, low, otherHigh, otherLow)
  low = low + otherLow
  high = high + otherHigh
  if low >= WORD then
    low = low - WORD
    high = high + 1
  end
  return high % WORD, low
end

-- What is left of a number when it is divided: its words are taken by halves, so that no step has more than 48 bits.
local function remainder(high, low, size)
  local upper = (high % size * HALF_WORD + math.floor(low / HALF_WORD)) % size
  return (upper * HALF_WORD + low % HALF_WORD) % size
end

-- The bits of the value whose hash of 128 bits begins at a place: the first half of the hash, to which the second half and the first are
-- added in turn.
local function positionsOf(hashes, place, settings)
  local high1, low1, high2, low2 = struct.unpack('>I4I4I4I4', hashes, place)
  local high, low = high1, low1
  local positions = {}
  for i = 1, settings.iterations do
    positions[i] = remainder(high % SIGN, low, settings.size)
    if i % 2 == 1 then
      high, low = sum(high, low, high2, low2)
    else
      high, low = sum(high, low, high1, low1)
    end
  end
  return positions
end
