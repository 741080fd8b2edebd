-- Move elements that are due to the tail of their queue, in the order of their due times.
--
-- most: how many records are moved at most. Returns {in how many milliseconds the next one is due, the time of the server}; the first is 0 if one is
-- due now, and -1 if none waits.

local queue, dueTimes, records = KEYS[1], KEYS[2], KEYS[3]
local most = ARGV[1]

local now = serverTimeMs()
local due = redis.call('zrangebyscore', dueTimes, '-inf', string.format('%.0f', now), 'limit', 0, most)
if #due > 0 then
  redis.call('llen', records) -- refuses what is no list, before anything is moved
  local values = {}
  for place, record in ipairs(due) do
    values[place] = valueOf(record)
  end
  inParts(values, function(...)
    redis.call('rpush', queue, ...)
  end)
  redis.call('zremrangebyrank', dueTimes, 0, #due - 1)
  removeDue(records, due)
end

local next = redis.call('zrange', dueTimes, 0, 0, 'withscores')
local leftMs = next[2] and math.max(0, math.ceil(tonumber(next[2]) - now)) or -1
return { leftMs, now }
