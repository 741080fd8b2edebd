-- Whether a field is claimed by this token. Once its claim has ended, another client may have claimed it anew.
local function owns(claimed, tokens, field, token)
  return redis.call('hget', tokens, field) == token and redis.call('zscore', claimed, field)
end
