-- What is done with the values of a set cache, where a script is for sets of several kinds.
local function sizeOf(set)
  return redis.call('zcount', set, FROM_NOW, '+inf')
end

local function valuesOf(set)
  return redis.call('zrangebyscore', set, FROM_NOW, '+inf')
end

local function removeFrom(set, values)
  inParts(values, function(...)
    redis.call('zrem', set, ...)
  end)
end
