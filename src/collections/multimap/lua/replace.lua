-- Set the values of a key of a multimap, and return those that it had.
--
-- Redis refuses to write for want of memory only before anything was removed.

local values = KEYS[1]
local wanted = ARGV

local before = take(values)
if #wanted > 0 then
  add(values, wanted)
end
return before
