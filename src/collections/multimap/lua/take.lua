-- Remove all values of a key of a multimap, and return them.

local values = KEYS[1]

return take(values)
