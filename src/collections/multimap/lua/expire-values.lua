-- Has the values of a key expire at a moment, in milliseconds since 1970; never for -1.
local function expireValues(values, moment)
  if moment == -1 then
    redis.call('persist', values)
  else
    redis.call('pexpireat', values, string.format('%.0f', moment))
  end
end
