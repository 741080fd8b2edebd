-- Remove all values of a set but these, at once, unless it is too large for that.
--
-- Returns 1 if any was removed, otherwise 0; nil if there are more than `most`, and none was removed.

local set = KEYS[1]
local most, values = ARGV[1], restOf(ARGV, 2)

if redis.call('scard', set) > tonumber(most) then
  return false
end
local isKept = {}
for _, value in ipairs(values) do
  isKept[value] = true
end
local others = {}
for _, value in ipairs(redis.call('smembers', set)) do
  if not isKept[value] then
    others[#others + 1] = value
  end
end
if #others == 0 then
  return 0
end
redis.call('srem', set, unpack(others))
return 1
