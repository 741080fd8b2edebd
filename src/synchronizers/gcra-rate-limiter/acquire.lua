-- Let a request pass, now or at a turn of its own, if that comes soon enough.
--
-- mostUs: for how many microseconds it waits. limits: see `consume.lua`, and so what it returns.

local state = KEYS[1]
local cost, mostUs, limits = ARGV[1], ARGV[2], restOf(ARGV, 3)

-- Whole numbers are exact up to this one.
local LARGEST = 2 ^ 53

local levels, refusal = levelsOf(state, limits, serverTimeUs())
if refusal then
  return refusal
end
local turns = turnsIn(levels)
local turn, refusing = turnOf(levels, cost)
local own = takeTurn(turns, tonumber(cost), turn)
local passes = own - levels.now <= tonumber(mostUs)
for _, each in ipairs(levels) do
  passes = passes and each.level + cost * each.cell <= LARGEST
end
if passes and own == turn then
  add(levels, cost)
end
if passes then
  write(state, levels, turns)
elseif levels.wentBack then
  write(state, levels)
end
return replyOf(levels, passes and 1 or 0, own, passes and 0 or refusing)
