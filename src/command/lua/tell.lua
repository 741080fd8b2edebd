-- Where a message was refused.
local refusedAt

-- Publishes to a channel, unless the command is empty, which means no listeners. Returns how many clients have received it.
--
-- A user may have the permission for every key and not for the channel. The changes of the script stay then, and
-- so the script goes on; the client is notified by the reply.
local function tell(publish, channel, message)
  if publish == '' then
    return 0
  end
  local receivers = redis.pcall(publish, channel, message)
  if type(receivers) ~= 'number' then
    refusedAt = channel
    return 0
  end
  return receivers
end
