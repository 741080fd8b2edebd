-- What is done with the values of a sorted set, where a script is for sets of several kinds.
local function sizeOf(set)
  return redis.call('zcard', set)
end

local function valuesOf(set)
  return redis.call('zrange', set, 0, -1)
end

local function removeFrom(set, values)
  inParts(values, function(...)
    redis.call('zrem', set, ...)
  end)
end
