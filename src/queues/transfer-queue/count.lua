-- Counts the consumers that wait. Processes that have not renewed their consumers in time are dead, and not counted.
local function countWaiting(consumers)
  local now, count = serverTimeMs(), 0
  for _, waiting in ipairs(redis.call('hvals', consumers)) do
    local number, untilMs = string.match(waiting, '^(%d+) (%d+)$')
    if number and tonumber(untilMs) > now then
      count = count + number
    end
  end
  return count
end
