-- Remove all values of a sorted set but some, at once, unless it is too large for that.
--
-- Returns 1 if any was removed, otherwise 0; nil if there are more than `most`, and none was removed.

local set = KEYS[1]
local most, kept = ARGV[1], restOf(ARGV, 2)

if redis.call('zcard', set) > tonumber(most) then
  return false
end
local isKept = {}
for _, value in ipairs(kept) do
  isKept[value] = true
end
local others = {}
for _, value in ipairs(redis.call('zrange', set, 0, -1)) do
  if not isKept[value] then
    others[#others + 1] = value
  end
end
if #others == 0 then
  return 0
end
redis.call('zrem', set, unpack(others))
return 1
