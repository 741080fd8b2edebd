-- A bounded queue has its elements under one key, and under another how many more it has room for: its places. There are as many of both together
-- as its capacity. Places may be fewer than none, where elements were put back or moved in although it was full. Without a capacity there is no such key.

-- Gives places back, and notifies those who wait for room. Removals need no memory, and so this follows them.
--
-- left: how many places there were; nil for a queue without a capacity, which gets none.
local function giveBack(places, channel, left, count, publish)
  if not left or count == 0 then
    return
  end
  local free = redis.call('incrby', places, count)
  if free > 0 then
    tell(publish, channel, free)
  end
end

-- Takes places for elements that are in the queue now.
--
-- left: see giveBack(). before: how many elements there were. A queue that had none gets the time to live of its places.
local function occupy(queue, places, left, before, count)
  if not left or count == 0 then
    return
  end
  redis.call('decrby', places, count)
  local moment = before == 0 and expiresAt(places) or -1
  if moment >= 0 then
    redis.call('pexpireat', queue, string.format('%.0f', moment))
  end
end
