-- Remove elements at one end of a sorted list.
--
-- side: 'first' or 'last'. Returns the elements, in the order of the list; nil if the lock is held, and nothing was changed. Where there are none, the
-- lock does not matter.

local set, lock = KEYS[1], KEYS[2]
local held, side, count = ARGV[1], ARGV[2], ARGV[3]

if isLocked(lock, held) and redis.call('exists', set) == 1 then
  return false
end
local found
if side == 'first' then
  found = redis.call('lrange', set, 0, count - 1)
  redis.call('ltrim', set, count, -1)
else
  found = redis.call('lrange', set, -count, -1)
  redis.call('ltrim', set, 0, -count - 1)
end
return found
