-- Change the values of a key of a multimap, and have the multimap name that key as long as there are values.
--
-- The multimap comes last among the keys. Its field, which is the key, and the hash of that come last among the arguments, so that the change
-- itself finds its keys and arguments in their places. The first key has the values.

local multimap, values = table.remove(KEYS), KEYS[1]
local hash, field = table.remove(ARGV), table.remove(ARGV)

local wrongType, isNamed = fieldOf(multimap, field, hash)
if wrongType then
  return wrongType
end
-- Read before anything is changed, since it may be refused. A multimap that is not there yet will not expire.
local moment = math.max(endOfValues(multimap, field), -1)
if not isNamed then
  beginKey(values)
end
local reply = change()
if type(reply) == 'table' and reply.err then
  return reply
end
if redis.call('exists', values) == 0 then
  redis.call('hdel', multimap, field)
  return reply
end
if not isNamed then
  redis.call('hset', multimap, field, hash)
end
-- Values that were not there before have no time to live, and would stay when the multimap is gone.
expireValues(values, moment)
return reply
