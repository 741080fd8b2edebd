-- Set when entries end.
--
-- ttlMs, idleMs: each 0 for never. condition: 'unset' if the entry may have no end yet; empty for any.
-- Returns how many of the fields have a value, and end then.

local ttlMs, idleMs, condition = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]

local count = 0
for place = 4, #ARGV do
  local field = ARGV[place]
  local value, idleBefore = find(field)
  local isUnset = value and idleBefore == 0 and not redis.call('zscore', ttl, field)
  if value and (condition == '' or isUnset) then
    redis.call('hset', map, field, struct.pack('dLc0', idleMs, #value, value))
    setEnd(ttl, field, ttlMs)
    setEnd(idle, field, idleMs)
    count = count + 1
  end
end
return count
