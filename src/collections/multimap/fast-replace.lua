-- Set the values of a key of a multimap.

local values = KEYS[1]
local wanted = ARGV

countOf(values) -- fails before anything is changed if the key belongs to something else
redis.call('unlink', values)
if #wanted > 0 then
  add(values, wanted)
end
return 1
