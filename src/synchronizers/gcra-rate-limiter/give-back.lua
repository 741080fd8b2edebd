-- Give back a turn that its caller does not use.
--
-- If it is the last, later callers get it by the level. Otherwise the next caller gets it for whom it is in time. Of one that has come already,
-- that is given back which has not drained since.
--
-- limits: see `consume.lua`. Returns 1 if anything was given back, otherwise 0.

local state = KEYS[1]
local turn, cost, limits = ARGV[1], ARGV[2], restOf(ARGV, 3)

local levels, refusal = levelsOf(state, limits, serverTimeUs())
if refusal then
  return refusal
end
if not levels.text or levels.wentBack then
  return 0
end
local turns = turnsIn(levels)
local last, own = turnOf(levels, 0), tonumber(turn)
if own > last or (own <= levels.now and last > levels.now) then
  return 0 -- the clock was put back or the levels were, or others have their turns by what has drained
elseif own > levels.now then
  keepTurn(turns, own, tonumber(cost))
  takeOffLast(levels, turns)
else
  for _, each in ipairs(levels) do
    local drained = (math.floor(levels.now / each.tick) - math.floor(own / each.tick)) * each.limit
    each.level = math.max(each.level - math.max(cost * each.cell - drained, 0), 0)
  end
end
write(state, levels, turns)
return 1
