-- Forget a writer who does not wait any more, and have the readers check again who have let it go first.

local lock, channel, writers = KEYS[1], KEYS[2], KEYS[3]
local owner, publish = ARGV[1], ARGV[2]

if redis.call('zrem', writers, owner) == 1 and redis.call('hget', lock, 'mode') ~= 'write' then
  tell(publish, channel, '1')
end
return 0
