-- Read an entry.
--
-- Returns {the record, milliseconds until it expires}: -1 if never, -2 if there is none.

local entry = KEYS[1]

local record = redis.call('get', entry)
if not record then
  return { false, -2 }
end
return { record, redis.call('pttl', entry) }
