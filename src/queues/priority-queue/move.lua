-- Move elements from one end of a priority queue to the other end of another queue.
--
-- side: 'first' from the head to the tail, or 'last' from the tail to the head. `exactly` is 1 if nothing is moved where there are fewer than `count`. Returns the
-- elements in the order in which they were moved; nil if the lock is held, and nothing was changed.

local queue, lock, target = KEYS[1], KEYS[2], KEYS[3]
local held, side, count, exactly = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

redis.call('llen', target) -- refuses what is no list, before anything is removed
local most, size = tonumber(count), redis.call('llen', queue)
if size == 0 or (exactly == '1' and size < most) then
  return {}
end
if isLocked(lock, held) then
  return false
end
local values = {}
for place = 1, math.min(most, size) do
  local value = redis.call('lindex', queue, side == 'first' and 0 or -1)
  redis.call(side == 'first' and 'rpush' or 'lpush', target, value) -- first, so that nothing is lost where it is refused
  redis.call(side == 'first' and 'lpop' or 'rpop', queue)
  values[place] = value
end
return values
