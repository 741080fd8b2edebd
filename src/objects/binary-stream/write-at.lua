-- Write a chunk into bytes at a position, unless they are shorter than the writer has left them.
--
-- Returns how many bytes there were before: the chunk is written if these are as many as demanded, or more.

local bytes = KEYS[1]
local chunk, position, least = ARGV[1], ARGV[2], ARGV[3]

local size = redis.call('strlen', bytes)
if size >= tonumber(least) then
  redis.call('setrange', bytes, position, chunk)
end
return size
