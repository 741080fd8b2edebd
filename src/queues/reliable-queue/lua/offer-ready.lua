-- Add messages.
--
-- delayMs: after which they are ready. priority, group, dedup: what their records say. dedupMs: for how long it lasts, or 0 for as long as the message is
-- there. dedupMode: 'drop' the new message, or 'replace' the one that is there if it waits. capacity: how many there may be but dead letters, or 0 for any
-- number. places: see enter().
-- Returns the id of the last one; if it was dropped, the negative id of the one that is there; 0 if there is no room, and then nothing was added.

local delayMs, priority, group, dedup, dedupMs, dedupMode, capacity, places, publish, bodies =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], restOf(ARGV, 10)

-- The ordinary way: one message, which is ready at once. The queue has numbers already.
if #bodies == 1 and delayMs == '0' and group == '' and dedup == '' and capacity == '0' then
  local last = redis.call('hlen', records) and redis.call('hincrby', facts, '#', 1)
  if last > 1000000000000000 then
    local id = string.format('%.0f', last)
    redis.call('hset', records, id, bodies[1])
    redis.call('zadd', ready, -priority, id)
    local heard = publish == '' and 0 or redis.pcall(publish, channel, 1)
    return type(heard) == 'number' and last or { 'REFUSED', channel, last }
  end
end
