-- Puts permits into a semaphore, and notifies waiters of their number, if there are any. Returns how many clients heard of it.
local function putBack(semaphore, channel, permits, publish)
  local available = redis.call('incrby', semaphore, permits)
  if available > 0 then
    return tell(publish, channel, available)
  end
  return 0
end
