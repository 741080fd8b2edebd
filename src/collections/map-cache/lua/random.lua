-- Read random entries, or only count all of them, once none is left that has expired.
--
-- count: how many are wanted; empty for their number alone. form: 'withvalues' for their records as well, which are used thereby.
-- Returns the fields, or how many there are; nil if more may have expired.

local publish, count, form = ARGV[1], ARGV[2], ARGV[3]
publishing = publish

local _, mayBeMore = sweep(1000)
if mayBeMore then
  return false
elseif count == '' then
  return redis.call('hlen', map)
elseif form == '' then
  return redis.call('hrandfield', map, count)
end
local entries = redis.call('hrandfield', map, count, form)
for place = 1, #entries, 2 do
  local value, idleMs = alive(entries[place], entries[place + 1])
  if value then
    touch(entries[place], idleMs)
  end
end
return entries
