-- Another process may enter by an owner's name. So the holds that Redis counts beyond those that the client knows of its thread stay. The
-- exceptions are `stale` of them at most: those that the client has lost by its own clock, which is ahead of the server's, and those
-- whose releasing is still without a reply.

-- How long the reply to a release is remembered where the count cannot tell whether it has run, in milliseconds: longer than any
-- copy of it is under way.
local UNCERTAIN_MS = 120000

-- The hold count of an owner after one more acquisition.
--
-- expected: the count that the client will reach by this, or 0 if it cannot know. A copy of a request finds it reached, if an earlier
-- one has run. A count that stays below shows that Redis has forgotten holds.
local function countAfter(held, expected, stale, rememberMs)
  if expected == 0 or held < expected then
    return held + 1
  end
  local again = tonumber(rememberMs) > 0
  return math.max(expected, held - stale + (again and 0 or 1))
end

-- The hold count of an owner after one release. known: what the client has, or 0 if it cannot know.
local function countAfterRelease(held, known, stale)
  local surplus = known > 0 and math.max(held - known, 0) or 0
  return held - math.min(surplus, stale) - 1
end

-- Keeps the reply to a release: where the count was above the known one, for its first copy as well, because the count does not
-- tell then that it has run.
local function rememberRelease(request, remaining, held, known, rememberMs)
  local uncertain = known > 0 and held > known
  remember(request, remaining, uncertain and math.max(tonumber(rememberMs), UNCERTAIN_MS) or rememberMs)
end
