-- The values of a key are a set.

local function countOf(values)
  return redis.call('scard', values)
end

local function has(values, value)
  return redis.call('sismember', values, value) == 1
end

local function take(values)
  local taken = redis.call('smembers', values)
  if #taken > 0 then
    redis.call('unlink', values) -- or else a server without memory would refuse no write any more
  end
  return taken
end

local function add(values, added)
  inParts(added, function(...)
    redis.call('sadd', values, ...)
  end)
end

local function remove(values, value)
  return redis.call('srem', values, value)
end
