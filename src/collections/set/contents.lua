-- What is done with the values of a set, where a script is for sets of several kinds.
local function sizeOf(set)
  return redis.call('scard', set)
end

local function valuesOf(set)
  return redis.call('smembers', set)
end

local function removeFrom(set, values)
  inParts(values, function(...)
    redis.call('srem', set, ...)
  end)
end
