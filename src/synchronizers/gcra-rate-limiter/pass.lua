-- A request passes, unless a limit refuses it. A refusal writes nothing, unless the clock has gone back.
local levels, refusal = levelsOf(state, limits, serverTimeUs())
if refusal then
  return refusal
end
local turn, refusing = turnOf(levels, cost)
if refusing == 0 then
  add(levels, cost)
end
if refusing == 0 or levels.wentBack then
  write(state, levels)
end
return replyOf(levels, refusing == 0 and 1 or 0, turn, refusing)
