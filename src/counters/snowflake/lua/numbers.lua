-- The node numbers of a snowflake: a hash, and a sorted set of bounds beside it.
--
-- The hash has the fields `layout`, the bits of an id; `node:<number>`, the token of its holder; the token, as in '3 1700000000000': the
-- number, and from which millisecond on its holder has ids; `lease`, how long the longest lease is; `server`, which server has had
-- the last word; `quiet`, a millisecond up to which that server may not know of ids. The sorted set has every number that was ever held, up
-- to which millisecond its last holder may have ids.

-- Which server this is, or nil for a user who may not ask. It changes with each restart and each failover, and only then something that was
-- written can be missing.
local function thisServer()
  local info = redis.pcall('info', 'replication')
  return type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or nil
end

local function numberOf(hash, field)
  return tonumber(redis.call('hget', hash, field) or 0)
end

local function setNumber(hash, field, value)
  redis.call('hset', hash, field, string.format('%.0f', value))
end

-- Up to which millisecond any holder may have ids.
local function lastBound(bounds)
  local last = redis.call('zrevrange', bounds, 0, 0, 'withscores')
  return tonumber(last[2] or 0)
end

-- Notes which server has had the last word, as far as that is known.
local function noteServer(hash, server)
  if server then
    redis.call('hset', hash, 'server', server)
  end
end

-- Notices that something may be missing that was written, as far as the user may ask which server this is: no holder of a later window may
-- begin before the windows end that could be.
local function noticeLoss(hash, bounds, leaseMs, now)
  local longest = math.max(numberOf(hash, 'lease'), tonumber(leaseMs))
  local server = thisServer()
  local isOther = server and redis.call('hget', hash, 'server') ~= server
  if isOther or redis.call('exists', bounds) == 0 then
    local quiet = math.max(numberOf(hash, 'quiet'), lastBound(bounds), now + longest)
    setNumber(hash, 'quiet', quiet)
    noteServer(hash, server)
  end
  if numberOf(hash, 'lease') < longest then
    setNumber(hash, 'lease', longest)
  end
end

-- The number that a token holds, and from which millisecond on it has ids; or nothing.
local function heldBy(hash, token)
  local number, from = string.match(redis.call('hget', hash, token) or '', '^(%d+) (%d+)$')
  return number, tonumber(from)
end

-- Has the bounds expire with the object, if that does, but not before the last window has ended.
local function expireBounds(hash, bounds)
  local at = redis.call('pttl', hash)
  if at < 0 then
    redis.call('persist', bounds)
  else
    redis.call('pexpire', bounds, string.format('%.0f', math.max(at, lastBound(bounds) + 1 - serverTimeMs())))
  end
end

-- Lets ids of a number go on from this moment of its holder for as long as a lease. Returns the last millisecond.
local function extend(hash, bounds, number, moment, leaseMs)
  local bound = math.max(moment + tonumber(leaseMs), tonumber(redis.call('zscore', bounds, number) or 0))
  redis.call('zadd', bounds, bound, number)
  expireBounds(hash, bounds)
  return bound
end

-- Up to which millisecond any holder may have ids, also those of whom this server may not know.
local function lastOfAll(hash, bounds)
  redis.call('zrem', bounds, '') -- there is none: Redis refuses no write for want of memory after one that needs none
  noticeLoss(hash, bounds, 0, serverTimeMs())
  return math.max(lastBound(bounds), numberOf(hash, 'quiet'))
end

-- Has the bounds say when the last window ends, if that is later than they say.
local function noteLast(bounds, last)
  if last > lastBound(bounds) then
    redis.call('zadd', bounds, string.format('%.0f', last), '0')
  end
end

-- Bounds outlast the object, until the last window has ended. last: when that is, if the bounds may not say so.
local function leaveBounds(bounds, last)
  if last then
    noteLast(bounds, last)
  end
  redis.call('pexpireat', bounds, string.format('%.0f', lastBound(bounds) + 1))
end

-- Gives a snowflake that has got this name its bounds. No window begins before those of the snowflake end that had the name.
local function adopt(hash, bounds, state)
  setNumber(hash, 'quiet', math.max(numberOf(hash, 'quiet'), lastBound(bounds)))
  if state then
    redis.call('restore', bounds, 0, state, 'replace')
  end
  expireBounds(hash, bounds)
end

-- Leaves nothing by which entries of another object end beside a snowflake that has got its name.
local function removeEnds(keys)
  for place = 2, #keys, 2 do
    redis.call('unlink', keys[place])
  end
end
