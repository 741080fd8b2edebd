-- Read the highest index of a bit that is 1, plus one.
--
-- Most often there is one in the last byte, so Redis looks through the bytes from the end, at twice as many each time. The last of those that it
-- has found one among is searched for by halves.

local bits = KEYS[1]

-- The first byte with a bit that is 1, from one byte to another.
local function firstByte(from, to)
  local index = redis.call('bitpos', bits, 1, from, to)
  return index >= 0 and math.floor(index / 8) or nil
end

local high, width = redis.call('strlen', bits) - 1, 1
local low
while not low do
  if high < 0 then
    return 0
  end
  low = firstByte(math.max(0, high - width + 1), high)
  if not low then
    high = high - width
    width = width * 2
  end
end

-- The byte is between these.
while low < high do
  local middle = math.ceil((low + high) / 2)
  local found = firstByte(middle, high)
  if found then
    low = found
  else
    high = middle - 1
  end
end

local index = low * 8 + 7
while redis.call('getbit', bits, index) == 0 do
  index = index - 1
end
return index + 1
