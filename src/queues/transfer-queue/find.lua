-- Look for the first element that has a value.
--
-- Returns its index; -1 if there is none.

local queue = KEYS[1]
local value = ARGV[1]

return (indexOf(queue, value))
