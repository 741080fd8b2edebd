-- Ids and tokens are numbers of 16 digits that grow: the first one is the server's clock in microseconds. So they grow on after the queue was deleted.
-- Returns the last of as many new ones.
local function newNumbers(count)
  local last = redis.call('hincrby', facts, '#', count)
  if last < 1000000000000000 then
    local seconds, micros = unpack(redis.call('time'))
    last = redis.call('hincrby', facts, '#', string.format('%.0f', seconds * 1000000 + micros))
  end
  return last
end
