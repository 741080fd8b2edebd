-- Set a counter if its value, 0 if there is none, compares with a limit as is said.
--
-- comparison: see compares(). Returns 1 if it was set, otherwise 0.

local counter = KEYS[1]
local value, comparison, limit = ARGV[1], ARGV[2], ARGV[3]

local current, wrongType = valueAt(counter)
if wrongType then
  return wrongType
end
if not compares(current or zero, comparison, numberOf(limit)) then
  return 0
end
redis.call('set', counter, value)
return 1
