-- Set a key for a time; with -1 for as long as it is not removed. Returns whether Redis had room for it: a full server does not stop reads and loads.
local function setIfRoom(key, value, lifeMs)
  local reply
  if lifeMs == '-1' then
    reply = redis.pcall('set', key, value)
  else
    reply = redis.pcall('set', key, value, 'px', lifeMs)
  end
  if not reply.err then
    return true
  end
  if string.find(reply.err, 'OOM command', 1, true) then
    return false
  end
  error(reply)
end
