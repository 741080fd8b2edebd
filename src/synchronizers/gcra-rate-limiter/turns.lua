-- Callers who wait have their turns by the order in which they came: the level is above what a burst adds then. The last turn follows from
-- the level. One that is given back before the last is kept by itself, for the next caller that it is in time for. One that was divided among
-- callers is kept until it is over: some of them may wait for it, so what is left of it stays on the level.

-- The turns that were given back and are still to come.
local function turnsIn(levels)
  local turns = {}
  if levels.text and not levels.wentBack then
    for turn, cost, divided in string.gmatch(levels.text, '|(%d+)=(%d+)(%+?)') do
      if tonumber(turn) > levels.now then
        turns[#turns + 1] = { turn = tonumber(turn), cost = tonumber(cost), isDivided = divided == '+' }
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
    local given = turns[place]
    given.isDivided = given.isDivided or given.cost > cost
    given.cost = given.cost - cost
    if not given.isDivided then
      table.remove(turns, place)
    end
  end
  return turn
end

-- Keeps a turn that is given back, or a part of one.
local function keepTurn(turns, turn, cost)
  for _, each in ipairs(turns) do
    if each.turn == turn then
      each.cost = each.cost + cost
      return
    end
  end
  turns[#turns + 1] = { turn = turn, cost = cost }
end

-- Takes those off the level that are the last, and whole.
local function takeOffLast(levels, turns)
  local last, i = turnOf(levels, 0), 1
  while i <= #turns do
    if turns[i].turn == last and not turns[i].isDivided then
      add(levels, -turns[i].cost)
      table.remove(turns, i)
      last, i = turnOf(levels, 0), 1
    else
      i = i + 1
    end
  end
end
