-- Add values, and set when they end.
--
-- condition: 'absent' if a value may not be there yet, 'present' if it has to be there, 'less' or 'greater' if it has to end later or earlier than it
-- would then; empty for any. The other arguments are for each value after how many milliseconds it ends, 0 for never, and the value.
-- Returns how many are new; with a condition, how many met it.

local set = KEYS[1]
local condition, entries = ARGV[1], restOf(ARGV, 2)

local count = 0
for place = 1, #entries, 2 do
  local moment, value = endAfter(entries[place]), entries[place + 1]
  local before = endOf(set, value)
  local isMet = condition == ''
    or condition == 'absent' and not before
    or condition == 'present' and before
    or condition == 'less' and before and moment < before
    or condition == 'greater' and before and moment > before
  if isMet then
    put(set, value, moment)
    count = count + ((condition ~= '' or not before) and 1 or 0)
  end
end
return count
