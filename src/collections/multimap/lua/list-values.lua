-- The values of a key are a list.

local function countOf(values)
  return redis.call('llen', values)
end

local function has(values, value)
  return redis.call('lpos', values, value) ~= false
end

local function take(values)
  local taken = redis.call('lrange', values, 0, -1)
  if #taken > 0 then
    redis.call('unlink', values) -- or else a server without memory would refuse no write any more
  end
  return taken
end

local function add(values, added)
  inParts(added, function(...)
    redis.call('rpush', values, ...)
  end)
end

local function remove(values, value)
  return redis.call('lrem', values, 1, value)
end
