import assert from 'node:assert/strict'
import type { RedissonClient } from '../../../src/index.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

/** Calls that take something, and are sent again and again while Redis cannot be reached. */
const CALLS: Readonly<Record<string, (client: RedissonClient) => Promise<unknown>>> = {
  lock: (client) => client.getLock('lock').acquire(),
  'fair lock': (client) => client.getFairLock('lock').acquire(),
  'write lock': (client) => client.getReadWriteLock('lock').writeLock().acquire(),
  'lock on values': (client) => client.getMultiLock('lock', ['one']).acquire(),
  semaphore: (client) => client.getSemaphore('permits').acquire(),
  'semaphore with leases': (client) => client.getPermitExpirableSemaphore('permits').acquirePermit(),
  'rate limiter': (client) => client.getRateLimiter('limiter').acquire(),
}

export const shutdowns: readonly Scenario[] = Object.entries(CALLS).map(([kind, call]) => ({
  name: `shutdown-between-attempts-${kind.replaceAll(' ', '-')}`,
  promise: `A call of a ${kind} that cannot reach Redis ends when the shutdown begins, with a ClientClosedError`,
  run: async (stage) => {
    const mine = await stage.process('mine', { server: { retryDelay: 2_000 } })
    await mine.run((client) => client.getLock('held').acquire()) // what the shutdown waits for
    stage.network.partition({ host: 'mine' }, 'refuse')
    await stage.sleep(100)
    const outcome = outcomeName(mine.run(call))
    await stage.sleep(1_000)
    const closed = mine.run((client) => client.shutdown({ drainMs: 10_000 }))
    const closedAt = stage.now
    assert.equal(await outcome, 'ClientClosedError')
    assert.ok(stage.now - closedAt < 100, `it has ended after ${(stage.now - closedAt).toFixed(0)} ms`)
    await closed
  },
}))
