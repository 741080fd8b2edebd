-- Run one command, and return its reply.
--
-- Its keys are among its words as well. In Lua an integer from 2^53 on loses digits, so what a counter has become is read as text.

local keys = KEYS
local words = ARGV

local answer = redis.pcall(unpack(words))
if type(answer) ~= 'number' or math.abs(answer) < 2 ^ 53 then
  return answer
end

local name = words[1]
if name == 'hincrby' then
  return redis.call('hget', keys[1], words[3])
elseif name == 'incr' or name == 'incrby' or name == 'decr' or name == 'decrby' then
  return redis.call('get', keys[1])
end
return answer
