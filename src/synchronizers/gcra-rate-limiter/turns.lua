-- Callers who wait have their turns by the order in which they came: the level is above what a burst adds then. The last turn follows from
-- the level. One that is given back before the last is kept by itself, for the next caller that it is in time for.

-- The turns that were given back and are still to come.
local function turnsIn(levels)
  local turns = {}
  if levels.text and not levels.wentBack then
    for turn, cost in string.gmatch(levels.text, '|(%d+)=(%d+)') do
      if tonumber(turn) > levels.now then
        turns[#turns + 1] = { turn = tonumber(turn), cost = tonumber(cost) }
      end
    end
  end
  return turns
end

-- Takes the earliest of them that is earlier than this turn and has room for the cost. Returns when that is; this turn if there is none.
local function takeTurn(turns, cost, turn)
  local place
  for i, each in ipairs(turns) do
    if each.turn < turn and each.cost >= cost then
      turn, place = each.turn, i
    end
  end
  if place then
    turns[place].cost = turns[place].cost - cost
    if turns[place].cost == 0 then
      table.remove(turns, place)
    end
  end
  return turn
end

-- Takes those off the level that are the last.
local function takeOffLast(levels, turns)
  local last, i = turnOf(levels, 0), 1
  while i <= #turns do
    if turns[i].turn == last then
      add(levels, -turns[i].cost)
      table.remove(turns, i)
      last, i = turnOf(levels, 0), 1
    else
      i = i + 1
    end
  end
end
