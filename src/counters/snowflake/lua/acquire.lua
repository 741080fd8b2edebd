-- Take a node number, with a window of time that no other holder of this number had or gets.
--
-- layout: the bits of ids. numbers: how many node numbers there are. first, last: the milliseconds of the first id and of the last. token: of
-- the holder to be, which has not been used before but by copies of this request. after: the millisecond of the last id of this client, after
-- which the window begins. leaseMs: how long the window lasts, if it is not renewed.
-- Returns {number, first millisecond of its window, the last one, now, the layout}. The number is -1 if all are taken; then the last
-- millisecond is that from which on one may be free. It is -2 if the layout is another one, and -3 if there are no ids at this time.

local hash, bounds = KEYS[1], KEYS[2]
local layout, numbers, first, last, token, after, leaseMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]

local wrongType = otherKind(hash, 'hash layout')
if wrongType then
  return wrongType
end

local now = serverTimeMs()
local stored = redis.call('hget', hash, 'layout')
if stored and stored ~= layout then
  return { -2, 0, 0, now, stored }
end
if now < tonumber(first) or now > tonumber(last) then
  return { -3, 0, 0, now, layout }
end

if not stored then
  setNumber(hash, 'quiet', lastBound(bounds)) -- of a snowflake that was deleted
  redis.call('del', bounds)
  redis.call('hset', hash, 'layout', layout)
  noteServer(hash, thisServer())
  redis.call('zadd', bounds, 0, '0')
end
noticeLoss(hash, bounds, leaseMs, now)

-- The number whose last window ended first, one that was never held, or one whose last ids are later than now.
local function free()
  local number, bound = unpack(redis.call('zrange', bounds, 0, 0, 'withscores'))
  if number and tonumber(bound) < now then
    return number, tonumber(bound)
  end
  local new = redis.call('zcard', bounds)
  while new < tonumber(numbers) and redis.call('zscore', bounds, new) do -- bounds that were lost came back in another order
    new = new + 1
  end
  if new < tonumber(numbers) then
    return string.format('%.0f', new), 0
  end
  if redis.call('hexists', hash, 'node:' .. number) == 0 then
    return number, tonumber(bound)
  end
  return nil, tonumber(bound)
end

local number, from = heldBy(hash, token)
if not number then
  local freed, bound = free()
  if not freed then
    return { -1, 0, bound + 1, now, layout }
  end
  number, from = freed, math.max(now, bound + 1, numberOf(hash, 'quiet') + 1, tonumber(after) + 1)
  local before = redis.call('hget', hash, 'node:' .. number)
  if before then
    redis.call('hdel', hash, before)
  end
  redis.call('hset', hash, 'node:' .. number, token)
  redis.call('hset', hash, token, number .. ' ' .. string.format('%.0f', from))
end
return { tonumber(number), from, extend(hash, bounds, number, math.max(now, from), leaseMs), now, layout }
