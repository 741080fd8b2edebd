-- Set values if there is something at each of the keys, or nothing at any.
--
-- exist: which of the two, as 1 or 0. expiry: the word of SET that says when they expire, or KEEPTTL; empty for never. time: what follows that word.
-- Returns 1 if they were set, otherwise 0.

local buckets = KEYS
local exist, expiry, time, values = ARGV[1], ARGV[2], ARGV[3], restOf(ARGV, 4)

for _, bucket in ipairs(buckets) do
  if redis.call('exists', bucket) ~= tonumber(exist) then
    return 0
  end
end
for place, bucket in ipairs(buckets) do
  if expiry == '' then
    redis.call('set', bucket, values[place])
  elseif expiry == 'KEEPTTL' then
    redis.call('set', bucket, values[place], expiry)
  else
    redis.call('set', bucket, values[place], expiry, time)
  end
end
return 1
