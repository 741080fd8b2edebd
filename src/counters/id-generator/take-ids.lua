-- Take blocks of ids, in a row: as many as there have to be for the ids that are wanted.
--
-- wanted: how many callers wait for an id. 0 takes one block ahead, but only of a generator that is there: nothing that is done in the
-- background brings one back that was deleted.
-- Returns {the first id, how many there are, how many a block has}, or nothing. All are texts, and the sum is left to Redis: a number
-- of Lua loses digits from 2^53 on.

local generator, allocation = KEYS[1], KEYS[2]
local wanted = ARGV[1]

local FIRST, USUAL_SIZE = '1', '5000'

local wrongType = otherKind(generator, 'number') or otherKind(allocation, 'number')
if wrongType then
  return wrongType
end
local first, size = redis.call('get', generator), redis.call('get', allocation)
if wanted == '0' and not first then
  return false
end
if size and not string.match(size, '^[1-9]') then
  return redis.error_reply('WRONGTYPE the size of its blocks is no whole number of 1 or more')
end

local block = size or USUAL_SIZE
local count = block
if tonumber(block) < tonumber(wanted) then
  count = string.format('%.0f', math.ceil(wanted / block) * block)
end

if not first then
  redis.call('set', generator, FIRST)
end
local taken = redis.pcall('incrby', generator, count)
if type(taken) == 'table' and taken.err then
  if not first then
    redis.call('del', generator)
  end
  return taken
end
if not size then
  redis.call('set', allocation, block)
end
return { first or FIRST, count, block }
