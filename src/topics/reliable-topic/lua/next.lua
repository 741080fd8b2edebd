-- Acknowledge what a subscriber has done, and read what comes next.
--
-- The messages that are read stay where they are: a lost reply loses none. The first of them is marked as delivered, and how often.
-- lease: see subscribe. expected: where the reader has left the subscriber; upTo: the last message that it has done since, or empty. count: how many messages
-- are read at most. again: whether the last read may have marked a message that no listener got, if this is 1: it is not counted once more. failed: the message
-- whose listener has failed, or empty; failures: how often it was delivered by then, of which its mark may say less.
-- Returns {1, where the subscriber is, how often the first message was delivered, id, message, ...}; {0} without a group; {-1} if the process is
-- not active any more. A message that was delivered before is read alone.

local stream, timeouts = KEYS[1], KEYS[2]
local name, lease, expected, upTo, count, again, failed, failures =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

-- What is published has one field; of what another program has added, there may be no message.
local function messageIn(fields)
  for place = 1, #fields, 2 do
    if fields[place] == 'm' then
      return fields[place + 1]
    end
  end
  return false
end

local group = groupOf(stream, name)
if not group then
  return { 0 }
elseif lease ~= '' and not redis.call('zscore', timeouts, lease) then
  return { -1 }
end

local now = serverTimeMs()
local cursor, hasMoved = acknowledge(stream, group, expected, upTo)
if sweep(stream, timeouts, now) > 0 or hasMoved then
  trim(stream, now)
end

local entries = tonumber(count) > 0 and redis.call('xrange', stream, after(cursor), '+', 'count', count) or {}
local head = entries[1]
if not head then
  return { 1, cursor, 0 }
end

local mark = redis.call('xpending', stream, name, head[1], head[1], 1)[1]
local marked = mark and mark[4] or 0
local known = head[1] == failed and tonumber(failures) or 0
local deliveries = again == '1' and math.max(marked, known + 1) or math.max(marked, known) + 1
redis.call('xclaim', stream, name, 'consumer', 0, head[1], 'force', 'retrycount', deliveries, 'justid')

local reply = { 1, cursor, deliveries }
for at = 1, deliveries > 1 and 1 or #entries do
  reply[#reply + 1] = entries[at][1]
  reply[#reply + 1] = messageIn(entries[at][2])
end
return reply
