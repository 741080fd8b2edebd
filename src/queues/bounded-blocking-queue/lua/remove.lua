-- Remove elements that have a value, and give their places back.
--
-- count: how many at most, from the back for a number below zero; 0 for all of them.
-- Returns how many were removed.

local queue, places, channel = KEYS[1], KEYS[2], KEYS[3]
local count, value, publish = ARGV[1], ARGV[2], ARGV[3]

local left, wrongType = numberAt(places)
if wrongType then
  return wrongType
end
local removed = redis.call('lrem', queue, count, value)
giveBack(places, channel, left, removed, publish)
return removed
