-- What a group knows of a message that is pending at a consumer: id, consumer, idle time, deliveries. Returns nothing if it is not.
local function pendingAt(stream, group, consumer, id)
  return redis.call('xpending', stream, group, id, id, 1, consumer)[1]
end
