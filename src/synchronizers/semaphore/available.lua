-- Read how many permits there are; 0 if the semaphore does not exist.

local semaphore = KEYS[1]

local available, wrongType = numberAt(semaphore)
if wrongType then
  return wrongType
end
return available or 0
