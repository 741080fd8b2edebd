-- Put elements back that were removed at one end of a priority queue, each in its place: before its equals if it was the first, and otherwise behind them.
--
-- target: the queue to which they were moved, or this one if they were not. Those that are no longer among the thousand elements at that end of it stay
-- removed. side: 'first' or 'last', the end at which they were removed. What cannot be compared becomes the element at that end. The values are in the
-- order in which they were removed. Returns how many were put back; -1 if the lock is held, and nothing was changed.

local queue, lock, comparator, target = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local held, form, side, values = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

if isLocked(lock, held) then
  return LOCKED
end

redis.call('llen', queue) -- refuses what is no list, before anything is removed
local isFirst = side == 'first'
local from = isFirst and -1 or 1 -- the end of the other queue

local function takeBack(value)
  if target == queue then
    return true
  end
  return redis.call('lpos', target, value, 'rank', from, 'maxlen', 1000) and redis.call('lrem', target, from, value)
end

local isOrdered = redis.call('exists', comparator) == 0

local function put(value)
  local index = isOrdered and boundOf(queue, keyOf(value, form), form, isFirst)
  local size = redis.call('llen', queue)
  if not index then
    redis.call(isFirst and 'lpush' or 'rpush', queue, value)
  elseif index == 0 then
    redis.call('lpush', queue, value)
  elseif index == size then
    redis.call('rpush', queue, value)
  else
    redis.call('linsert', queue, 'before', redis.call('lindex', queue, index), value)
  end
end

local count = 0
for place = #values, 1, -1 do
  if takeBack(values[place]) then
    put(values[place])
    count = count + 1
  end
end
return count
