-- Read whether a request would pass.
--
-- limits: see `consume.lua`, and so what it returns.

local state = KEYS[1]
local cost, limits = ARGV[1], restOf(ARGV, 2)

local levels, refusal = levelsOf(state, limits, serverTimeUs())
if refusal then
  return refusal
end
local turn, refusing = turnOf(levels, cost)
return replyOf(levels, refusing == 0 and 1 or 0, turn, refusing)
