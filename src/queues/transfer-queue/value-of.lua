-- What a record is compared by: its value, and the end of the line before it. See `records.ts`.
local function valueOf(record)
  return string.sub(record, string.find(record, '\n', 1, true) or 1)
end
