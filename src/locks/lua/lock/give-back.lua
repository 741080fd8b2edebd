-- Takes one hold from an owner who has `held` of them. The last one frees the lock and tells whoever waits.
-- Returns how many have heard it; nobody, where nothing is published.
local function giveBack(lock, channel, owner, held, publish)
  if held > 1 then
    redis.call('hincrby', lock, owner, -1)
    return 0
  end
  redis.call('del', lock)
  return publish ~= '' and redis.call(publish, channel, '0') or 0
end
