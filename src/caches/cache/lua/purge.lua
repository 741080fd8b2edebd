-- Remove an entry that is old for all, unless it was written anew since.
--
-- line: the first line of its record, which has the times by which it is old.
-- Returns 1 if it was removed, otherwise 0.

local entry = KEYS[1]
local line = ARGV[1]

if redis.call('getrange', entry, 0, #line - 1) ~= line then
  return 0
end
return redis.call('del', entry)
