-- Whether a request to acquire has taken a hold that its owner still has.
--
-- holds: the count that the owner would have reached by the request, or 0 if it cannot know.
local function tookEffect(request, held, holds)
  if not held then
    return false
  end
  local remembered = redis.call('get', request)
  if remembered then
    return remembered == 'taken'
  end
  return tonumber(holds) > 0 and held >= tonumber(holds)
end
