-- Prepares the values of a key that the multimap does not name: those that Redisson has stored without the key are the key's.
local function beginKey() end
