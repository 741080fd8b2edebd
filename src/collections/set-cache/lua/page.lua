-- Read some values.
--
-- Returns the cursor of the next ones, 0 for none, and the values.

local set = KEYS[1]
local cursor, pattern, count = ARGV[1], ARGV[2], ARGV[3]

return pageFrom(set, { pattern }, cursor, count)
