-- The value of a record: see `record.ts`.
local function valueOf(record)
  local _, value = struct.unpack('Bc0Lc0', record)
  return value
end
