-- Notifies waiters for an object that it has changed.
--
-- channel: empty where there are no waiters. message: empty for the number that the object is, which is published if it is more
-- than 0.
local function wakeWaiters(publish, channel, message, object)
  if channel == '' then
    return
  end
  if message == '' then
    message = redis.call('get', object) or '0'
  end
  if tonumber(message) > 0 then
    tell(publish, channel, message)
  end
end
