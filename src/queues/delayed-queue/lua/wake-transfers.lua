-- Has all clients look for what is due. It is published as Redisson does: by `publish`, in a cluster too.
local function wakeWaiters(publish, channel, message)
  if channel ~= '' then
    tell(publish == '' and '' or 'publish', channel, message)
  end
end
