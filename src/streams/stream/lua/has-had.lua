-- Whether a number is above another one, both as digits: Lua rounds those of 64 bits.
local function isAbove(one, other)
  if #one ~= #other then
    return #one > #other
  end
  return one > other
end

-- Whether the newest id that a stream has ever had is not below this one.
local function hasHad(stream, id)
  local facts = redis.call('xinfo', 'stream', stream)
  local last
  for place = 1, #facts, 2 do
    if facts[place] == 'last-generated-id' then
      last = facts[place + 1]
    end
  end
  local lastTime, lastNumber = string.match(last, '^(%d+)-(%d+)$')
  local time, number = string.match(id, '^(%d+)-(%d+)$')
  if lastTime ~= time then
    return isAbove(lastTime, time)
  end
  return not isAbove(number, lastNumber)
end
