-- Append a chunk to bytes that end where the writer has left them. Anywhere, if the position is empty.
--
-- Returns how many bytes there were before: the chunk is appended if these are as many as expected.

local bytes = KEYS[1]
local chunk, position = ARGV[1], ARGV[2]

local size = redis.call('strlen', bytes)
if position == '' or size == tonumber(position) then
  redis.call('append', bytes, chunk)
end
return size
