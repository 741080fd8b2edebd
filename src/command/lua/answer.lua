local reply = answer()
return refusedAt and { 'REFUSED', refusedAt, reply } or reply
