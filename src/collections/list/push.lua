-- Push values at one end of a list, by `lpush` or `rpush`: no more of them by one command than a call can be given.
local function push(command, list, values)
  local MOST = 5000
  for first = 1, #values, MOST do
    redis.call(command, list, unpack(values, first, math.min(first + MOST - 1, #values)))
  end
end

-- Push values in front of a list, so that they have their order there.
local function pushInFront(list, values)
  local reversed = {}
  for i = #values, 1, -1 do
    reversed[#reversed + 1] = values[i]
  end
  push('lpush', list, reversed)
end
