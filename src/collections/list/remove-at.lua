-- Remove the element of an index. See takeOut().
--
-- Returns the element; nil if there was none.

local list = KEYS[1]
local index, mark = ARGV[1], ARGV[2]

return takeOut(list, index, mark)
