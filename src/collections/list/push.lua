-- Push values at one end of a list, by `lpush` or `rpush`.
local function push(command, list, values)
  inParts(values, function(...)
    redis.call(command, list, ...)
  end)
end

-- Push values in front of a list, so that they have their order there.
local function pushInFront(list, values)
  local reversed = {}
  for i = #values, 1, -1 do
    reversed[#reversed + 1] = values[i]
  end
  push('lpush', list, reversed)
end
