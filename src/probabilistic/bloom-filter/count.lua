-- Count the bits of a filter that are set.
--
-- Returns {how many bits it has, how many each value sets, how many are set}; nothing if it is not initialized.

local filter, config = KEYS[1], KEYS[2]

local settings, wrongConfig = settingsAt(config)
if not settings then
  return wrongConfig
end
return { settings.size, settings.iterations, redis.call('bitcount', filter) }
