-- Remove records that have one of some values. See removeRecords().
--
-- most: how many at most; 0 for all. Returns 1 if there were any, otherwise 0.

local records, dueTimes = KEYS[1], KEYS[2]
local most, values = ARGV[1], restOf(ARGV, 2)

local isUnwanted = {}
for _, value in ipairs(values) do
  isUnwanted[value] = true
end
return removeRecords(records, dueTimes, tonumber(most), function(value)
  return isUnwanted[value]
end)
