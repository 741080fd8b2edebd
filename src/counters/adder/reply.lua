-- Reply to another client, which has asked for the sum of this one: add it to theirs, and put one permit into their semaphore.
--
-- command: how a sum is added; empty if they have asked to begin anew. sum: that of this client. lifeMs: for how many milliseconds the
-- keys last at least. Where a sum cannot be added, the error takes the place of the counter, so that no client waits for it.
-- Returns how many clients have replied, unless that was taken meanwhile.

local counter, semaphore, channel, request = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local command, sum, lifeMs, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local remembered = redis.call('get', request)
if remembered then
  return tonumber(remembered)
end

local function outlast(key)
  if redis.call('pttl', key) < tonumber(lifeMs) then
    redis.call('pexpire', key, lifeMs)
  end
end

if command ~= '' then
  local failed = string.match(redis.call('get', counter) or '', '^%u+ ')
  local added = not failed and redis.pcall(command, counter, sum)
  if type(added) == 'table' and added.err then
    redis.call('set', counter, added.err)
  end
  outlast(counter)
end
local replies = redis.call('incrby', semaphore, 1)
outlast(semaphore)
tell(publish, channel, replies)
remember(request, replies, rememberMs)
return replies
