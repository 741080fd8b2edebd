-- Remove messages whose deliveries are held.
--
-- members: the deliveries, each an id and a token. labels: the group and the deduplication of each message as JSON, or nothing if none has any.
-- space: the channel of those that wait for room, or nothing.
-- Returns, in order, 1 for each delivery that was held and 0 for the others, as text.

local members, labels, places, space, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

-- The ordinary way: only the messages go, and no copy has come before.
if labels == '' and space == '' and redis.call('exists', request) == 0 then
  redis.call('del', request) -- Redis refuses no write for want of memory after one that needs none
  local held, hasFacts = {}, redis.call('hlen', facts) > 1
  for id, token in string.gmatch(members, '(%d+) (%d+)') do
    local own = redis.call('zrem', leases, id .. ' ' .. token)
    held[#held + 1] = own
    if own == 1 then
      redis.call('hdel', records, id)
    end
    if own == 1 and hasFacts then
      redis.call('hdel', facts, 'f' .. id, 'n' .. id, 'c' .. id)
    end
  end
  local answer = table.concat(held)
  redis.call('set', request, answer, 'px', rememberMs)
  return answer
end
