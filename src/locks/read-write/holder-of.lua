-- Some owner of the lock, in any mode; nil if there is none.
local function holderOf(lock)
  for _, field in ipairs(redis.call('hkeys', lock)) do
    if field ~= 'mode' then
      return (string.gsub(field, ':write$', ''))
    end
  end
  return nil
end
