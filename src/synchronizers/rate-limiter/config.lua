-- Read the settings of the limiter.
--
-- Returns {mode, rate, milliseconds of the interval, milliseconds of the keep-alive time}, or nothing if it is not there.

local limiter = KEYS[1]

local settings, wrongType = settingsOf(limiter)
if wrongType then
  return wrongType
end
if not settings then
  return {}
end
return { tonumber(settings.mode), settings.rate, settings.interval, settings.keepAliveMs }
