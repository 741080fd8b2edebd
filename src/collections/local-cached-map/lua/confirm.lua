-- Confirm to a client that uses another database that what it has asked for is done: put a permit into its semaphore, if that is there.
--
-- database: that of the client. A script that selects one leaves the connection at its own. Returns 1 if the semaphore was there, otherwise 0.

local semaphore, channel = KEYS[1], KEYS[2]
local database, publish = ARGV[1], ARGV[2]

redis.call('select', database)
if redis.call('exists', semaphore) == 0 then
  return 0
end
putBack(semaphore, channel, 1, publish)
return 1
