-- Tell the local caches of a map something.
--
-- map: by which the node is found. Returns how many clients have received it.

local map = KEYS[1]
local channel, message, publish = ARGV[1], ARGV[2], ARGV[3]

return tell(publish, channel, message)
