-- Remove values at an end of the first of several sorted sets that has any.
--
-- `pop` is the command that does so: zpopmin or zpopmax. Returns the place of that set, counted from 0, and what the command returns; nil if
-- all of them are empty.

local sets = KEYS
local pop, count = ARGV[1], ARGV[2]

for place, set in ipairs(sets) do
  local found = redis.call(pop, set, count)
  if #found > 0 then
    return { place - 1, found }
  end
end
return false
