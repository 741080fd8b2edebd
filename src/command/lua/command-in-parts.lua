-- Run one command in parts, as one step: a call takes less than 8 000 values, and its list has more.
--
-- How many of its words begin each part comes last, and the others are its list. Returns the sum of the replies.

local keys = KEYS
local words = ARGV

local MOST = 6000 -- what belongs together, such as a score and its value, stays in one part

local beginning = tonumber(table.remove(words))
local sum = 0
for first = beginning + 1, #words, MOST do
  local part = { unpack(words, 1, beginning) }
  for place = first, math.min(first + MOST - 1, #words) do
    part[#part + 1] = words[place]
  end
  local reply = redis.pcall(unpack(part))
  if type(reply) ~= 'number' then
    return reply
  end
  sum = sum + reply
end
return sum
