-- Tell the local caches of a map something.
--
-- Returns how many clients have received it.

local channel, message, publish = ARGV[1], ARGV[2], ARGV[3]

return tell(publish, channel, message)
