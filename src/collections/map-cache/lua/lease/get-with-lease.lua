-- Read an entry, which is used thereby. Where there is none, take the lease under which its value is loaded, unless another call has it.
--
-- Returns 1 and the value; or 0, nil, the token of the call that has the lease, and 1 if that is this one, otherwise 0. An entry of another map whose
-- lease has the same key keeps it from this one.

local token, leaseMs, field = ARGV[1], ARGV[2], ARGV[3]

local value, idleMs = find(field)
if value then
  touch(field, idleMs)
  return { 1, value, false, 0 }
end
local holder = redis.call('get', lease)
if not holder then
  redis.call('set', lease, token, 'px', leaseMs)
  holder = token
end
return { 0, false, holder, holder == token and 1 or 0 }
