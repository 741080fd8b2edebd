-- Move a named subscriber to another place.
--
-- position: after which message it goes on, or `$` for the last.
-- Returns 1, or 0 if there is no such subscriber.

local stream = KEYS[1]
local name, position = ARGV[1], ARGV[2]

-- The same position with another id, where it is before a moment: an acknowledgement that arrives late expects the old one, and moves nothing.
local function newIdOf(position)
  local ms, sequence = string.match(position, '^(%d+)%-(%d+)$')
  if position == '0-0' or sequence == LAST_OF_A_MS then
    return ms .. '-' .. string.format('%.0f', serverTimeMs())
  end
  return position
end

if not groupOf(stream, name) then
  return 0
end
for _, mark in ipairs(redis.call('xpending', stream, name, '-', '+', 1000)) do
  redis.call('xack', stream, name, mark[1])
end
redis.call('xgroup', 'setid', stream, name, placeFor(stream, newIdOf(position)))
return 1
