-- Set when entries end.
--
-- ttlMs, idleMs: each 0 for never. condition: 'unset' if the entry may have no end yet; empty for any.
-- Returns how many of the fields have a value, and end then.

local ttlMs, idleMs, condition, fields = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)
ttlMs, idleMs = tonumber(ttlMs), tonumber(idleMs)

local count = 0
for _, field in ipairs(fields) do
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
