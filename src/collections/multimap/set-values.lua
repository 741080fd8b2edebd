-- The values of a key are a set.

local function countOf(values)
  return redis.call('scard', values)
end

local function has(values, value)
  return redis.call('sismember', values, value) == 1
end

local function take(values, most)
  return redis.call('spop', values, most)
end

local function add(values, added)
  inParts(added, function(...)
    redis.call('sadd', values, ...)
  end)
end

local function remove(values, value)
  return redis.call('srem', values, value)
end
