-- The other keys that begin or cease to expire with a snowflake: its bounds, unless clients have ids. Then the next renewal sees to them.
local function otherKeys(_, others)
  return lastBound(others[1]) < serverTimeMs() and others or {}
end
