// A lock that its holder cannot enter twice, for code in which that would be a mistake.
import { isRedissonError, Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getNonReentrantLock('examples:non-reentrant-lock')

await lock.withLock(async () => {
  try {
    await lock.withLock(() => console.log('this is not reached'))
  } catch (error) {
    console.log(`again: ${isRedissonError(error, 'LOCK_REENTRY') ? 'refused' : 'failed'}`)
  }
})

console.log(`locked afterwards: ${await lock.isLocked()}`)
await client.shutdown()
