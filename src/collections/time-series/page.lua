-- Read entries in the order of their timestamps, or against it, without those whose time to live has ended.
--
-- min, max: the bounds of the timestamps. count: how many entries are wanted. most: how many are looked at. after: the record of the entry behind
-- which this page begins; empty for the first page. The timestamp of that entry is a bound, in case it was removed.
-- Returns {the record and the timestamp of the last entry that was looked at, or nothing if there are no more, records with their timestamps}.

local series, ttl = KEYS[1], KEYS[2]
local direction, min, max, count, most, after =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local isForward = direction == 'forward'
local wanted, left = 2 * count, tonumber(most)
local first = redis.call('zcount', series, '-inf', '(' .. min)
local final = redis.call('zcount', series, '-inf', max) - 1
local rank = after ~= '' and redis.call('zrank', series, after)
if rank and isForward then
  first = rank + 1
elseif rank then
  final = rank - 1
end

local now = serverTimeMs()
local hasEnded = redis.call('zcount', ttl, '-inf', string.format('%.0f', now)) > 0

local function isThere(record)
  local ends = hasEnded and redis.call('zscore', ttl, record)
  return not ends or tonumber(ends) > now
end

local found, record, timestamp = {}, false, false
while first <= final and #found < wanted and left > 0 do
  -- Many at a time where some have ended: each search in the sorted set takes longer than the next entry.
  local size = math.min(math.max((wanted - #found) / 2, hasEnded and 50 or 1), left, final - first + 1)
  local start = isForward and first or final - size + 1
  local some = redis.call('zrange', series, start, start + size - 1, 'withscores')
  for step = 1, size do
    local place = 2 * (isForward and step or size - step + 1)
    record, timestamp = some[place - 1], some[place]
    if isForward then
      first = first + 1
    else
      final = final - 1
    end
    if isThere(record) then
      found[#found + 1], found[#found + 2] = record, timestamp
    end
    if #found == wanted then
      break
    end
  end
  left = left - size
end
local isEnd = first > final
return { not isEnd and record, not isEnd and timestamp, found }
