import { isRedissonError, LockTimeoutError, Redisson } from 'ioredisson'
import type { LockHold, RedissonClient, RedissonOptions, RLock } from 'ioredisson'

const options: RedissonOptions = { singleServerConfig: { address: process.argv[2] ?? '' } }
const client: RedissonClient = await Redisson.create(options)
const lock: RLock = client.getLock('package:esm')

let count = 0
await Promise.all([1, 2, 3].map(() => lock.withLock(() => (count += 1))))

const hold: LockHold = await lock.acquire()
const refused = await lock.withLock(() => 'in', { waitMs: 0 }).catch((error: unknown) => error)
await hold.unlock()

const isTimeout = refused instanceof LockTimeoutError && isRedissonError(refused, 'LOCK_TIMEOUT')
console.log(`counted ${count}, refused ${isTimeout}, held ${await lock.isLocked()}`)
await client.shutdown()
