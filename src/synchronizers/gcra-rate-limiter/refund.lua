-- Give back what a request has used, as far as anything is used.
--
-- limits: see `consume.lua`, and so what it returns: that it passes, and what is left then.

local state = KEYS[1]
local cost, limits = ARGV[1], restOf(ARGV, 2)

local levels, refusal = levelsOf(state, limits, serverTimeUs())
if refusal then
  return refusal
end
if levels.text then
  add(levels, -cost)
  write(state, levels, turnsIn(levels))
end
return replyOf(levels, 1, levels.now, 0)
