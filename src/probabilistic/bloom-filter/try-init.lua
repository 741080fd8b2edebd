-- Write the settings of a filter, unless it has some. Its bits stay as they are.
--
-- Returns 1 if they were written, otherwise 0.

local filter, config = KEYS[1], KEYS[2]
local size, iterations, insertions, probability = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local wrongType = otherKind(config, 'hash size/string', filter)
if wrongType then
  return wrongType
end
if redis.call('exists', config) == 1 then
  return 0
end
redis.call(
  'hset',
  config,
  'size',
  size,
  'hashIterations',
  iterations,
  'expectedInsertions',
  insertions,
  'falseProbability',
  probability
)
return 1
