-- Remove a field.
--
-- condition: 'equal' if it has to have the expected value; empty for any. silent: whether its value is not wanted, if this is 1.
-- Returns the value that it had, or nil; if that is not wanted, 1 if it was removed, otherwise 0.

local publish, condition, expected, silent, field = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
publishing = publish

local before = find(field)
local isMet = before and (condition == '' or before == expected)
if isMet then
  drop(field, 'removed')
end
if silent == '1' then
  return isMet and 1 or 0
end
return before or false
