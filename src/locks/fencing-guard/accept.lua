-- Note a token, unless a larger one has been seen.
--
-- Returns {1 if it was accepted, otherwise 0, the largest that had been seen}.

local seen = KEYS[1]
local token = ARGV[1]

local accepted, largest = see(seen, token)
return { accepted and 1 or 0, largest }
