-- Have all local caches of a map drop what they keep, those as well that miss the message.
--
-- map: by which the node is found. chance: for the mark of the log; empty if there is none. Returns how many clients have received it.

local map, log = KEYS[1], KEYS[2]
local chance, channel, message, publish = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

renewMark(log, chance)
return tell(publish, channel, message)
