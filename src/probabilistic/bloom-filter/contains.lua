-- Read which values are in a filter.
--
-- hashes: of each value the hash of 128 bits, one after the other.
-- Returns for each of them 1 if all of its bits are set, otherwise 0; nothing if the filter is not initialized.

local filter, config = KEYS[1], KEYS[2]
local hashes = ARGV[1]

local settings, wrongConfig = settingsAt(config)
if not settings then
  return wrongConfig
end

local function isSet(position)
  return redis.call('getbit', filter, position) == 1
end

local found = {}
for place = 1, #hashes, 16 do
  found[#found + 1] = eachPosition(hashes, place, settings, isSet) and 1 or 0
end
return found
