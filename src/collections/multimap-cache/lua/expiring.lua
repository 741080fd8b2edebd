-- Change or read a multimap whose keys end, once no key is left that has ended.
--
-- The last keys are the sorted set of the ends, what the keys of values begin with, and the multimap, so that the change itself finds its keys
-- in their places. More keys may have ended than are removed here: then nothing else is done, and the error says so.

local multimap, prefix, ends = table.remove(KEYS), table.remove(KEYS), table.remove(KEYS)

local MOST = 1000
if sweep(multimap, prefix, ends, MOST) == MOST then
  return redis.error_reply('KEYSENDED more keys may have ended')
end

-- A key that is removed has no end any more, and one that is new has none yet.
local function call(...)
  local command, key, field = ...
  if key == multimap and (command == 'hdel' or command == 'hset') then
    redis.call('zrem', ends, field)
  end
  return redis.call(...)
end

return change(setmetatable({ call = call }, { __index = redis }))
