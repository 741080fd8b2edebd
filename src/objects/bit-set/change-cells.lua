-- Read, set and add to cells, one after the other.
--
-- operations: of each the name, the sign of its type ('i' or 'u'), its bits, its offset, its number, and what becomes of one that does not fit.
-- Returns for each of them what is or was in the cell, or the sum. Of a cell of more than 53 bits it returns {the higher bits, the lower 32}, because a number
-- of Lua has no more; nothing where the number did not fit and was to fail.

local bits = KEYS[1]
local operations = ARGV

local WORDS, EXACT, LOW = 6, 53, 32

local function read(sign, size, offset)
  if size <= EXACT then
    return redis.call('bitfield', bits, 'get', sign .. size, offset)[1]
  end
  local high = size - LOW
  return redis.call('bitfield', bits, 'get', sign .. high, offset, 'get', 'u' .. LOW, offset + high)
end

local found = {}
for place = 1, #operations, WORDS do
  local name, sign, size, offset, number, overflow = unpack(operations, place, place + WORDS - 1)
  size, offset = tonumber(size), tonumber(offset)
  local before = name ~= 'incrby' and read(sign, size, offset)
  local done = true
  if name ~= 'get' then
    done = redis.call('bitfield', bits, 'overflow', overflow, name, sign .. size, offset, number)[1]
  end
  found[#found + 1] = done and (before or read(sign, size, offset))
end
return found
