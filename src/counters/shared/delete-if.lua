-- Remove a counter if its value compares with a limit as is said.
--
-- comparison: see compares(). Returns 1 if it was removed, otherwise 0, as where there is none.

local counter = KEYS[1]
local comparison, limit = ARGV[1], ARGV[2]

local current, wrongType = valueAt(counter)
if wrongType then
  return wrongType
end
if not current or not compares(current, comparison, numberOf(limit)) then
  return 0
end
return redis.call('del', counter)
