-- Run one command, and return its reply. Its keys are among its words as well.

local keys = KEYS
local words = ARGV

return exactInteger(redis.pcall(unpack(words)), words[1], keys[1], words[3])
