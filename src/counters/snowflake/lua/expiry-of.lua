-- When the bounds expire, if the snowflake does so at a moment: not before the last window has ended, since holders hand out ids until they notice.
local function expiryOf(hash, bounds, moment)
  noteLast(bounds, lastOfAll(hash, bounds))
  return math.max(moment, lastBound(bounds) + 1)
end
