-- Set a set cache to what a command makes of others, once none of their values is left that has ended.
--
-- options: of the command, behind the names. Returns the size; nil if more may have ended.

local set, others = KEYS[1], restOf(KEYS, 2)
local publish, command, options = ARGV[1], ARGV[2], restOf(ARGV, 3)
publishing = publish

redis.call('zcard', set) -- fails where the name belongs to another object
if not sweepAll(others) then
  return false
end
return redis.call(command, set, #others, unpack(joined(others, options)))
