-- Read an entry, and mark that this request loads it, unless the entry is fresh or another load is under way.
--
-- token: that of the load. always: '1' to mark also where the entry is fresh, because only the client knows that it is not.
-- Returns {the record, milliseconds until it expires, the token of the load that is under way, milliseconds until its mark ends}. The token is empty,
-- and the milliseconds are 0, where nothing was asked about loads. With its own token and 0, this request loads without a mark: Redis does not take it.

local entry, mark = KEYS[1], KEYS[2]
local token, leaseMs, always = ARGV[1], ARGV[2], ARGV[3]

local record = redis.call('get', entry)
local leftMs = record and redis.call('pttl', entry) or -2
if record and always == '0' then
  local staleMs = tonumber(string.match(record, '^1 [%d-]+ (%d+) '))
  if staleMs and (leftMs == -1 or leftMs > staleMs) then
    return { record, leftMs, '', 0 }
  end
end

local leader = redis.call('get', mark)
if not leader then
  leader = token
  if not setIfTaken(mark, token, leaseMs) then
    return { record, leftMs, token, 0 }
  end
end
return { record, leftMs, leader, redis.call('pttl', mark) }
