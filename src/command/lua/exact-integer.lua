-- The reply to a command with all its digits. In Lua an integer from 2^53 on loses some, so what a counter has become is read as text.
local function exactInteger(answer, command, key, field)
  if type(answer) ~= 'number' or math.abs(answer) < 2 ^ 53 then
    return answer
  end
  local name = string.lower(command)
  if name == 'hincrby' then
    return redis.call('hget', key, field)
  elseif name == 'incr' or name == 'incrby' or name == 'decr' or name == 'decrby' then
    return redis.call('get', key)
  end
  return answer
end
