-- Give back what a request to acquire has taken, if it has, and let no copy of it take anything from now on.
--
-- holds: the count that the owner would have reached by the request, or 0 if it cannot know.
-- Returns 1 if something was released, otherwise 0.

local lock, channel, request = KEYS[1], KEYS[2], KEYS[3]
local owner, holds, publish, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local held, wrongType = holdsOf(lock, owner)
if wrongType then
  return wrongType
end

local taken = tookEffect(request, held, holds)
remember(request, 'undone', rememberMs)
if not taken then
  return 0
end
giveBack(lock, channel, owner, held - 1, publish)
return 1
