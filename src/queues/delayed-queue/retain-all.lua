-- Remove all records that have none of some values. See removeRecords().
--
-- Returns 1 if there were any, otherwise 0.

local records, dueTimes = KEYS[1], KEYS[2]
local values = ARGV

local isWanted = {}
for _, value in ipairs(values) do
  isWanted[value] = true
end
return removeRecords(records, dueTimes, 0, function(value)
  return not isWanted[value]
end)
