-- Note what is to be written of a field: `1` and its value, or `0` where it is to be deleted. Of one that is being written at the moment, the
-- end of that brings the rest.
local function note(states, due, claimed, delay, field, state)
  redis.call('hset', states, field, state)
  if not redis.call('zscore', claimed, field) then
    redis.call('zadd', due, 'nx', serverTimeMs() + delay, field)
  end
end
