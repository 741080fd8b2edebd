-- Carry out a command on the guarded key, unless a token larger than the given one has been seen.
--
-- operands: what follows the key, each as its length in bytes, a colon, and itself.
-- Returns {1, the largest token that had been seen, the reply}, or {0, the largest token} where it was refused.

local resource, seen, request = KEYS[1], KEYS[2], KEYS[3]
local token, command, operands, rememberMs = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local remembered = redis.call('get', request)
if remembered then
  return cmsgpack.unpack(remembered)
end

local accepted, largest = see(seen, token)
if not accepted then
  return { 0, largest }
end

local words = {}
local at = 1
while at <= #operands do
  local colon = operands:find(':', at, true)
  local length = tonumber(operands:sub(at, colon - 1))
  words[#words + 1] = operands:sub(colon + 1, colon + length)
  at = colon + length + 1
end

local reply = redis.call(command, resource, unpack(words))
local answer = { 1, largest, exactInteger(reply, command, resource, words[1]) }
remember(request, cmsgpack.pack(answer), rememberMs)
return answer
