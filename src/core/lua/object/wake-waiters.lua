-- Notifies waiters for an object that it has changed.
--
-- channel: empty where there are no waiters. message: empty for the number that the object is. A number is published if it is more
-- than 0, and what is no number in any case.
local function wakeWaiters(publish, channel, message, object)
  if channel == '' then
    return
  end
  if message == '' then
    message = redis.call('get', object) or '0'
  end
  local number = tonumber(message)
  if not number or number > 0 then
    tell(publish, channel, message)
  end
end
