-- An owner may not come in again.
local reentrant = false
