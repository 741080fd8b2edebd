-- Read which entries of a map were changed lately.
--
-- isBegun: whether the log of a map is to begin where there is none, if this is 1. most: how many records are read at most.
-- Returns {which server this is, and which log; records}, or {} if nothing is known: there is no map, or too much has changed.

local map, log = KEYS[1], KEYS[2]
local isBegun, chance, most = ARGV[1], ARGV[2], ARGV[3]

if redis.call('exists', map) == 0 then
  return {}
end
local MARK = string.rep('\0', 16) .. ':'
if isBegun == '1' and redis.call('exists', log) == 0 then
  redis.call('zadd', log, '+inf', MARK .. chance)
end
local mark = redis.call('zrevrangebyscore', log, '+inf', '+inf', 'limit', 0, 1)[1]
local info = redis.pcall('info', 'replication')
local server = type(info) == 'string' and string.match(info, 'master_replid:(%w+)')
if not mark or not server or redis.call('zcard', log) > tonumber(most) then
  return {}
end
return { server .. string.sub(mark, -8), redis.call('zrange', log, 0, -1) }
