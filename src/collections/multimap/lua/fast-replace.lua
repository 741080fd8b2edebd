-- Set the values of a key of a multimap.
--
-- Redis refuses to write for want of memory only before anything was removed.

local values = KEYS[1]
local wanted = ARGV

if countOf(values) > 0 then -- fails before anything is changed if the key belongs to something else
  redis.call('unlink', values)
end
if #wanted > 0 then
  add(values, wanted)
end
return 1
