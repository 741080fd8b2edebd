-- Remove a consumer, unless a message is pending at it. Returns whether it was removed (1).

local stream = KEYS[1]
local group, consumer = ARGV[1], ARGV[2]

if #redis.call('xpending', stream, group, '-', '+', 1, consumer) > 0 then
  return 0
end
redis.call('xgroup', 'delconsumer', stream, group, consumer)
return 1
