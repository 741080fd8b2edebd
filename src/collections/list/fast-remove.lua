-- Remove the element of an index. See takeOut().
--
-- Returns 1 if there was one, otherwise 0.

local list = KEYS[1]
local index, mark = ARGV[1], ARGV[2]

return takeOut(list, index, mark) and 1 or 0
