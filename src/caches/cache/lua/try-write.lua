-- Whether an error means that Redis takes no writes for now: it has no room, cannot write to its disk, or has too few replicas. That does not stop
-- reads and loads. A replica refuses writes too, but the client has to know of that, to look for the master.
local function refusesWrites(err)
  for _, refusal in ipairs({ 'OOM command', 'MISCONF ', 'NOREPLICAS ' }) do
    if string.find(err, refusal, 1, true) then
      return true
    end
  end
  return false
end

-- Run a command that writes. Returns whether Redis has taken it.
local function tryWrite(...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then
    return true
  end
  if refusesWrites(reply.err) then
    return false
  end
  error(reply)
end

-- Set a key for a time; with -1 for as long as it is not removed. Returns whether Redis has taken it.
local function setIfTaken(key, value, lifeMs)
  if lifeMs == '-1' then
    return tryWrite('set', key, value)
  end
  return tryWrite('set', key, value, 'px', lifeMs)
end
