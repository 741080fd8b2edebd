-- Set the value of a field.
--
-- condition: 'absent' if it may have none, 'present' if it has to have one, 'equal' for the expected one; empty for any.
-- ttlMs, idleMs: when it ends, each 0 for never; 'keep' as the first if both stay. silent: whether the value is not wanted, if this is 1.
-- lease: who has it in Java loads a value, which is late then.
-- Returns the value before, or nil; if that is not wanted, 1 if the value was set, and without a condition, if it is new; otherwise 0.

local publish, condition, expected, ttlMs, idleMs, silent, field, value =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
publishing = publish

local before, idleBefore = find(field)
local isMet = condition == ''
  or condition == 'absent' and not before
  or condition == 'present' and before
  or condition == 'equal' and before == expected

if not isMet then
  if before then
    touch(field, idleBefore)
  end
else
  if ttlMs == 'keep' then
    store(field, value, nil, idleBefore, before)
  else
    store(field, value, tonumber(ttlMs), tonumber(idleMs), before)
  end
  endLease(field)
end

if silent ~= '1' then
  return before or false
elseif condition == '' then
  return before and 0 or 1
end
return isMet and 1 or 0
