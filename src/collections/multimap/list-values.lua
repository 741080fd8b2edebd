-- The values of a key are a list.

local function countOf(values)
  return redis.call('llen', values)
end

local function has(values, value)
  return redis.call('lpos', values, value) ~= false
end

local function take(values, most)
  local taken = redis.call('lrange', values, 0, most - 1)
  redis.call('ltrim', values, most, -1)
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
