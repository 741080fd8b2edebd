-- Add values to a filter.
--
-- hashes: of each value the hash of 128 bits, one after the other.
-- Returns how many of them set a bit; nothing if the filter is not initialized.

local filter, config = KEYS[1], KEYS[2]
local hashes = ARGV[1]

local settings, wrongConfig = settingsAt(config)
if not settings then
  return wrongConfig
end

local isFirst = redis.call('exists', filter) == 0
local isAdded

local function set(position)
  if redis.call('setbit', filter, position, 1) == 0 then
    isAdded = true
  end
  return true
end

local added = 0
for place = 1, #hashes, 16 do
  isAdded = false
  eachPosition(hashes, place, settings, set)
  if isAdded then
    added = added + 1
  end
end

-- The settings may expire since a time when there was no bit.
local moment = isFirst and expiresAt(config) or -1
if moment >= 0 then
  redis.call('pexpireat', filter, string.format('%.0f', moment))
end
return added
