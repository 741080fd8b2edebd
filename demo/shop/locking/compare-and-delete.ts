import { randomUUID } from 'node:crypto'
import { keys } from '../keys.js'
import type { Locking, Tools } from './locking.js'
import { poll } from './polling.js'

/** Deletes the lock if this shop owns it. Returns its owner, or nothing. */
const COMPARE_AND_DELETE = `
local owner = redis.call('get', KEYS[1])
if owner == ARGV[1] then
  redis.call('del', KEYS[1])
end
return owner
`

/** The release deletes no lock of another owner. But the lease is a guess. */
export function compareAndDelete({ settings, redis, books }: Tools): Locking {
  return async (sell) => {
    const token = randomUUID()
    await poll(async () => (await redis.set(keys.lock, token, 'PX', settings.leaseMs, 'NX')) === 'OK')
    try {
      return await sell()
    } finally {
      const owner = await redis.eval(COMPARE_AND_DELETE, 1, keys.lock, token)
      if (owner !== token) await books.refused()
    }
  }
}
