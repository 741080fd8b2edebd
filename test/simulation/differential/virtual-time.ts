import type { Bytes } from '../server/reply.js'

/** How much later keys expire at the real server, in milliseconds, so that none expires while a test runs. */
const LATER_MS = 4_000_000_000_000

/** Commands whose arguments or replies are times. */
const TIMED = /^(time|p?expire(at|time)?|p?ttl|p?setex|set|getex|restore|object)$/i

/**
 * Comes before a script in its first line. The time stands still at that of the recording. Keys expire later: what commands are given as a
 * time, and what they reply, is translated. A command with a time that is not translated fails.
 */
const BEFORE = `
local call, now, later = redis.pcall, NOW, LATER
local function text(ms) return string.format('%.0f', ms) end
local function deadline(at) return at > now and text(at + later) or 1 end
local function refuse() error('not translated to virtual time') end
local timed = { setex = refuse, psetex = refuse, getex = refuse, restore = refuse, object = refuse, expiretime = refuse }
function timed.time() return { text(math.floor(now / 1000)), text(now % 1000 * 1000) } end
function timed.pexpireat(key, at, ...) return call('pexpireat', key, deadline(tonumber(at)), ...) end
function timed.expireat(key, at, ...) return timed.pexpireat(key, at * 1000, ...) end
function timed.pexpire(key, ms, ...) return timed.pexpireat(key, now + ms, ...) end
function timed.expire(key, seconds, ...) return timed.pexpire(key, seconds * 1000, ...) end
function timed.pexpiretime(key)
  local at = call('pexpiretime', key)
  return type(at) == 'number' and at > 0 and at - later or at
end
function timed.pttl(key)
  local at = timed.pexpiretime(key)
  return type(at) == 'number' and at > 0 and at - now or at
end
function timed.ttl(key)
  local ms = timed.pttl(key)
  return ms > 0 and math.floor((ms + 500) / 1000) or ms
end
function timed.set(key, value, ...)
  local words = {...}
  for at = 1, #words do
    local option = string.lower(words[at])
    if option == 'ex' or option == 'exat' then refuse() end
    if option == 'px' then words[at], words[at + 1] = 'pxat', now + words[at + 1] end
    if string.lower(words[at]) == 'pxat' then words[at + 1] = deadline(tonumber(words[at + 1])) end
  end
  return call('set', key, value, unpack(words))
end
local function reply(name, ...)
  local translated = timed[string.lower(name)]
  if translated then return translated(...) end
  return call(name, ...)
end
local redis = setmetatable({ pcall = reply, call = function(...)
  local reply = reply(...)
  if type(reply) == 'table' and reply.err then error(reply) end
  return reply
end }, { __index = redis })
`.replaceAll('\n', ' ')

/** A script as it would run at a time, in milliseconds. */
export function scriptAt(now: number, source: Bytes): Bytes {
  return BEFORE.replace('NOW', String(now)).replace('LATER', String(LATER_MS)) + source
}

/** A command as it would run at a time. */
export function commandAt(now: number, words: readonly Bytes[]): readonly Bytes[] {
  const [name = ''] = words
  if (!TIMED.test(name)) return words
  return ['EVAL', scriptAt(now, 'return redis.call(unpack(ARGV))'), '0', ...words]
}
