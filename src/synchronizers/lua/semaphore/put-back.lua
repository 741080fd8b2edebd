-- Puts permits into a semaphore, and tells whoever waits how many there are now, if there are any.
local function putBack(semaphore, channel, permits, publish)
  local available = redis.call('incrby', semaphore, permits)
  if available > 0 then
    redis.call(publish, channel, available)
  end
end
