-- Forget a writer who does not wait any more, and have the readers check again who have let it go first.

local lock, request, channel, writers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3]

if redis.call('exists', request) == 1 then
  return 0
end
if redis.call('zrem', writers, owner) == 1 and redis.call('hget', lock, 'mode') ~= 'write' then
  tell(publish, channel, '1')
end
remember(request, 'gone', rememberMs)
return 0
