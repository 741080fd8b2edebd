import { isRedissonError, LockTimeoutError, Redisson } from 'ioredisson'
import type { LockHold, RedissonClient, RLock } from 'ioredisson'

async function main(address: string): Promise<void> {
  const client: RedissonClient = await Redisson.create(address)
  const lock: RLock = client.getLock('package:commonjs')

  let count = 0
  await Promise.all([1, 2, 3].map(() => lock.withLock(() => (count += 1))))

  const hold: LockHold = await lock.acquire()
  const refused = await lock.withLock(() => 'in', { waitMs: 0 }).catch((error: unknown) => error)
  await hold.unlock()

  const isTimeout = refused instanceof LockTimeoutError && isRedissonError(refused, 'LOCK_TIMEOUT')
  console.log(`counted ${count}, refused ${isTimeout}, held ${await lock.isLocked()}`)
  await client.shutdown()
}

void main(process.argv[2] ?? '')
