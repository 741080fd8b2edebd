-- Removes what is left of the values of a key that the multimap does not name: the key has ended. Redisson may have set another end for its values,
-- or none.
local function beginKey(values)
  local left = redis.call('type', values).ok
  if left == 'list' or left == 'set' then
    redis.call('unlink', values)
  end
end
