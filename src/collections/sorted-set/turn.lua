-- Whether a change has to wait. Redisson for Java changes a set in several steps, under a lock: between two of them nothing may move. A script is one
-- step, so that it needs no lock, but only that no other client has it.
--
-- held: the owner of the lock, for a client that has acquired it itself; empty otherwise.
--
-- Interleavings: a script that runs before the lock is acquired, or after it was released, comes before or after all steps of the other client. One
-- that runs in between changes nothing and says so. Its client acquires the lock then, and runs it again. A client in Java whose lease
-- has ended goes on without the lock, here as among clients in Java; one of Node changes nothing while another one has it.
--
-- Lost replies: a copy may find the lock held, or its own change. So no change is sent twice, unless its reply is kept.

local LOCKED = -1

local function isLocked(lock, held)
  return redis.call('exists', lock) == 1 and (held == '' or redis.call('hexists', lock, held) == 0)
end
