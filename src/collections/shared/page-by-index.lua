-- Read a page of a list. Returns the index where the page after this one begins, 0 for none, and the elements.

local function pageFrom(set, _, start, count)
  local following = start + count
  local elements = redis.call('lrange', set, start, following - 1)
  if following >= redis.call('llen', set) then
    following = 0
  end
  return { tostring(following), elements }
end
