-- Set the value of a field, if the lease is still that of the token. That ends the lease.
--
-- ttlMs, idleMs: when the entry ends, each 0 for never. Returns 1 if the value was set, otherwise 0.

local publish, token, ttlMs, idleMs, field, value = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
publishing = publish

if holderOf(field) ~= token then
  return 0
end
store(field, value, tonumber(ttlMs), tonumber(idleMs), find(field))
endLease(field)
return 1
