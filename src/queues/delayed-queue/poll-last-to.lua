-- Remove the record that was offered last, and add its value at the head of another queue.
--
-- Returns the record; nil if there is none.

local records, dueTimes, target = KEYS[1], KEYS[2], KEYS[3]

redis.call('zcard', dueTimes) -- refuses what is no sorted set, before anything is removed
redis.call('llen', target) -- and what is no list
local record = redis.call('lindex', records, -1)
if not record then
  return false
end
local value = valueOf(record)
redis.call('zrem', dueTimes, record)
redis.call('rpop', records)
redis.call('lpush', target, value)
return record
