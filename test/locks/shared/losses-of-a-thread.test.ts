import { describe, expect, it } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { twoAsOne } from './two-as-one.js'

/** How many are remembered of each thread. */
const MOST = 16

const kinds: readonly (readonly [string, (client: RedissonClient, name: string) => RLock])[] = [
  ['locks', (client, name) => client.getLock(name)],
  ['multi-locks', twoAsOne],
]

describe.each(kinds)('a thread that has lost many %s', (_, lockOf) => {
  noLeaks(single)
  const clients = twoClients(single)

  it('hears at unlock() of the last ones how it lost them, and of those before that it has none', async () => {
    await clients.mine.runAsThread(async () => {
      const locks = Array.from({ length: MOST + 4 }, (_, number) => lockOf(clients.mine, `lost-${number}`))
      for (const lock of locks) {
        await lock.lock()
        await lock.forceUnlock()
      }
      const errors: unknown[] = []
      for (const lock of locks) errors.push(await lock.unlock().catch((error: unknown) => error))
      expect(errors).toMatchObject(locks.map(() => ({ code: 'NOT_HELD' })))
      expect(errors.map((error) => (error as Error).cause)).toMatchObject([
        ...Array.from({ length: 4 }, () => undefined),
        ...Array.from({ length: MOST }, () => ({ code: 'LOCK_LOST', reason: 'forced' })),
      ])
    })
  })
})
