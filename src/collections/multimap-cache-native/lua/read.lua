-- Read the values of a key of a multimap, of which none are left once the key has ended.
--
-- The multimap comes last among the keys. Its field, which is the key, and the hash of that come last among the arguments, so that the reading
-- itself finds its keys and arguments in their places. The first key has the values.

local multimap, values = table.remove(KEYS), KEYS[1]
local hash, field = table.remove(ARGV), table.remove(ARGV)

if redis.call('hget', multimap, field) ~= hash then -- fails, rather than remove values, where the multimap cannot be read
  beginKey(values)
end
return change()
