-- Return what a command makes of a set cache and others, once none of their values is left that has ended.
--
-- options: of the command, behind the names. Returns the reply; nil if more may have ended.

local set, others = KEYS[1], restOf(KEYS, 2)
local publish, command, options = ARGV[1], ARGV[2], restOf(ARGV, 3)
publishing = publish

if not sweepAll({ set, unpack(others) }) then
  return false
end
return redis.call(command, #others + 1, set, unpack(joined(others, options)))
