-- Let a request pass, if its only limit does not refuse it.
--
-- limit, perMs, burst: how many cells, in how many milliseconds, and how many at once. Returns what `consume.lua` returns.

local state = KEYS[1]
local cost, limit, perMs, burst = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

-- The ordinary way, before any function is made: no one waits, and the clock has not gone back. `levels.lua` explains the numbers.
local seconds, micros = unpack(redis.call('time'))
local now, text = seconds * 1000000 + micros, redis.call('get', state)
local at, interval, level = now, perMs, 0
if text then
  at, interval, level = string.match(text, '^(%d+) (%d+):(%d+)$')
end
if interval == perMs and tonumber(at) <= now then
  local tick, cell = 1, perMs * 1000
  if cell > 3600000000 then
    tick, cell = 1000, tonumber(perMs)
  end
  level = math.max(level - (math.floor(now / tick) - math.floor(at / tick)) * limit, 0)
  local over, passes, retryMs = level + (cost - burst) * cell, 1, 0
  if over <= 0 then
    level = level + cost * cell
  else
    passes = 0
    local part = math.fmod(over, limit)
    local turn = (math.floor(now / tick) + (over - part) / limit + (part > 0 and 1 or 0)) * tick
    retryMs = math.ceil((turn - now) / 1000)
  end
  local part, free = math.fmod(level, limit), math.max(burst * cell - level, 0)
  local unusedMs = math.ceil(((level - part) / limit + (part > 0 and 1 or 0)) * tick / 1000)
  if passes == 1 then
    redis.call('set', state, string.format('%.0f %s:%.0f', now, perMs, level), 'px', unusedMs + 1000)
  end
  return { passes, retryMs, 1 - passes, now, (free - math.fmod(free, cell)) / cell, unusedMs }
end
local limits = { limit, perMs, burst }
