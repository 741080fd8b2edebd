-- Move members of a geo that are there to other places.
--
-- Arguments are longitudes, each followed by a latitude and a member. Returns how many of the members are there.

local geo = KEYS[1]
local entries = ARGV

local found = 0
for i = 1, #entries, 3 do
  local longitude, latitude, member = entries[i], entries[i + 1], entries[i + 2]
  if redis.call('zscore', geo, member) then
    redis.call('geoadd', geo, longitude, latitude, member)
    found = found + 1
  end
end
return found
