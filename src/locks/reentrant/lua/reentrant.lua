-- An owner may come in again.
local reentrant = true
