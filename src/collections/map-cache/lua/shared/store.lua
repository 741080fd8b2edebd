-- Sets the value of a field, and when it ends; ttlMs: nil if that stays. before: the value that it has, unless that has expired.
local function store(field, value, ttlMs, idleMs, before)
  redis.call('hset', map, field, struct.pack('dLc0', idleMs, #value, value))
  if ttlMs then
    setEnd(ttl, field, ttlMs)
  end
  setEnd(idle, field, idleMs)
  use(field, not before)
  if before then
    announce('updated', field, value, before)
  else
    makeRoom(field)
    announce('created', field, value)
  end
end
