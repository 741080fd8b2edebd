-- Set all bits of a range.
--
-- from, to: the first index, and that behind the last one. value: 1 or 0. Zeros beyond the end are there already.
-- Everything is written from the end, so that Redis gives the string all of its memory at once.

local bits = KEYS[1]
local from, to, value = ARGV[1], ARGV[2], ARGV[3]

-- How many bytes one command writes.
local PAGE = 65536

local function setBits(first, behind)
  for index = behind - 1, first, -1 do
    redis.call('setbit', bits, index, value)
  end
end

local function setBytes(first, behind)
  local page = string.rep(value == '1' and '\255' or '\0', math.min(PAGE, behind - first))
  while behind > first do
    local start = math.max(first, behind - PAGE)
    redis.call('setrange', bits, start, string.sub(page, 1, behind - start))
    behind = start
  end
end

from, to = tonumber(from), tonumber(to)
local size = redis.call('strlen', bits) * 8
if value == '0' then
  to = math.min(to, size)
end
local firstByte, behindBytes = math.ceil(from / 8), math.floor(to / 8)
if firstByte < behindBytes then
  setBits(behindBytes * 8, to)
  setBytes(firstByte, behindBytes)
  setBits(from, firstByte * 8)
else
  setBits(from, to)
end
