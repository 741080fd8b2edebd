-- Set when fields that have values end. One that has ended stays so: Redis 7.4 would bring it back as long as its memory is not freed.
--
-- ttlMs: more than 0. condition: 'gt' if the end has to be later than the present one; empty for any.
-- Returns for how many of the fields the end was set.

local map = KEYS[1]
local ttlMs, condition, fields = ARGV[1], ARGV[2], restOf(ARGV, 3)

local there = {}
inParts(fields, function(...)
  local asked = { ... }
  for place, leftMs in ipairs(redis.call('hpttl', map, 'fields', #asked, ...)) do
    if leftMs ~= -2 then
      there[#there + 1] = asked[place]
    end
  end
end)

local count = 0
inParts(there, function(...)
  local outcomes
  if condition == '' then
    outcomes = redis.call('hpexpire', map, ttlMs, 'fields', select('#', ...), ...)
  else
    outcomes = redis.call('hpexpire', map, ttlMs, condition, 'fields', select('#', ...), ...)
  end
  for _, outcome in ipairs(outcomes) do
    count = count + (outcome == 1 and 1 or 0)
  end
end)
return count
