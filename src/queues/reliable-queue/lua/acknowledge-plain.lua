-- Remove messages whose deliveries are held.
--
-- space: the channel of those that wait for room, or nothing. deliveries: each followed by the group and the deduplication of its message.
-- Returns, in order, 1 for each delivery that was held and 0 for the others, as text.

local request = KEYS[10]
local places, space, publish, rememberMs = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[#ARGV]


-- Whether no message has a group or a deduplication.
local isPlain = space == ''
for i = 5, #ARGV - 1, 3 do
  isPlain = isPlain and ARGV[i] == '' and ARGV[i + 1] == ''
end

-- The ordinary way: only the messages go, and no copy has come before.
if isPlain and redis.call('exists', request) == 0 then
  redis.call('del', request) -- Redis refuses no write for want of memory after one that needs none
  local held, hasFacts = {}, redis.call('hlen', facts) > 1
  for i = 4, #ARGV - 1, 3 do
    local own = redis.call('zrem', leases, ARGV[i])
    local id = own == 1 and string.sub(ARGV[i], 1, 16)
    if id then
      redis.call('hdel', records, id)
    end
    if id and hasFacts then
      redis.call('hdel', facts, 'f' .. id, 'c' .. id)
    end
    held[#held + 1] = own
  end
  local answer = table.concat(held)
  redis.call('set', request, answer, 'px', rememberMs)
  return answer
end
