-- Let a request pass, if no limit refuses it.
--
-- limits: for each of them how many cells, in how many milliseconds, and how many at once.
-- Returns {1 if it passes or 0, milliseconds until it passes, which limit refuses it or 0, its turn, then for each limit how many cells are left,
-- and milliseconds until none is used}.

local state = KEYS[1]
local cost, limits = ARGV[1], restOf(ARGV, 2)
