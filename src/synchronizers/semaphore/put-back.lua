-- Puts permits into a semaphore, and notifies waiters of their number, if there are any.
local function putBack(semaphore, channel, permits, publish)
  local available = redis.call('incrby', semaphore, permits)
  if available > 0 then
    tell(publish, channel, available)
  end
end
