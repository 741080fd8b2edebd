-- Read messages by where they are: as counts.lua counts them, but what is due or has ended is where it was until messages are taken again.
--
-- state: 'ready', 'delayed', 'inFlight', 'heldBack' or 'dead'.
-- Returns for each its id, how often it has failed, its record.

local state, offset, count = ARGV[1], ARGV[2], ARGV[3]

redis.call('hlen', records) -- refuses what is no queue
local places = { ready = ready, delayed = delayed, inFlight = leases, heldBack = grouped, dead = dead }
local answer = {}
for _, entry in ipairs(redis.call('zrange', places[state], offset, offset + count - 1)) do
  local id = state == 'heldBack' and string.sub(entry, -16) or string.sub(entry, 1, 16)
  local record = redis.call('hget', records, id)
  if record then
    local at = #answer
    answer[at + 1], answer[at + 2], answer[at + 3] = id, tonumber(redis.call('hget', facts, 'f' .. id) or 0), record
  end
end
return answer
