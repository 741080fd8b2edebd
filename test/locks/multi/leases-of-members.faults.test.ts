import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import { relet } from '../../../src/locks/reentrant/lock.scripts.js'
import { noLeaksAfterAll } from '../../contracts/lock-fixture.js'
import { askOwner } from '../../support/ask-owner.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { strike } from '../../support/faults.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

/** A lease that no test outlasts. */
const NEVER_MS = 600_000

const BRIEFLY_MS = 500

type LockOf = (client: RedissonClient, name: string) => RLock

const reading: LockOf = (client, name) => client.getReadWriteLock(name).readLock()
const writing: LockOf = (client, name) => client.getReadWriteLock(name).writeLock()

const kinds: readonly (readonly [kind: string, lockOf: LockOf, rivalOf: LockOf])[] = [
  ['a lock', ...twice((client, name) => client.getLock(name))],
  ['a fair lock', ...twice((client, name) => client.getFairLock(name))],
  ['a fenced lock', ...twice((client, name) => client.getFencedLock(name))],
  ['a write lock', writing, reading],
  ['a read lock', reading, writing],
  ['the values of a group', ...twice((client, name) => client.getMultiLock(name, ['one', 'two']))],
]

describe('the lease of a multi-lock', () => {
  noLeaksAfterAll(single, { keeps: /redisson_lock_token:/ })
  const clients = twoClients(single, { lockWatchdogTimeout: NEVER_MS })

  it.concurrent.each(kinds)('is known to those who wait for %s in it', async (kind, lockOf, rivalOf) => {
    const [name, last] = [`1 ${kind}`, `2 ${kind}`]
    const theirs = await clients.other.getLock(last).acquire({ leaseMs: NEVER_MS })
    const both = clients.mine.getMultiLock(lockOf(clients.mine, name), clients.mine.getLock(last))
    const taking = elsewhere(() => both.acquire({ leaseMs: BRIEFLY_MS }))
    await untilAwaited(single, last) // and so the first one is taken, for as long as the watchdog says
    const waiting = elsewhere(() => rivalOf(clients.other, name).acquire({ leaseMs: NEVER_MS }))
    await untilAwaited(single, name)
    await theirs.unlock()
    await taking.catch(() => undefined) // its lease may have been over already
    await (await waiting).unlock()
  })

  it.concurrent('is that of a group of values in which there is nothing else', async () => {
    const group = clients.mine.getMultiLock('group', ['one', 'two'])
    const hold = await clients.mine
      .getMultiLock(group, clients.mine.getLock('beside'))
      .acquire({ leaseMs: 60_000 })
    expect(await askOwner(single, 'group', 'PTTL')).toBeLessThanOrEqual(60_000)
    await hold.unlock()
  })

  describe('of which the reply is lost', () => {
    let door: Proxied<typeof single>
    let client: RedissonClient

    beforeAll(async () => {
      door = await proxied(single)
      client = await Redisson.create(door.options({ retryDelay: 20, reconnectionDelay: 10 }))
    })

    afterEach(() => door.proxyOf(single.nodes[0]).heal())

    afterAll(async () => {
      await client.shutdown()
      await door.stop()
    })

    it('is over, and nothing else, where it has ended before the request is sent again', async () => {
      const both = client.getMultiLock(client.getLock('one of two'), client.getLock('two of two'))
      await (await both.acquire({ leaseMs: NEVER_MS })).unlock() // so that the server knows the scripts
      strike(door.proxies, relet.sha, [
        'is lost',
        'reply',
        async (passing) => {
          await sleep(BRIEFLY_MS)
          passing.cut()
        },
      ])
      const taking = both.acquire({ leaseMs: BRIEFLY_MS })
      await expect(taking).rejects.toMatchObject({ code: 'LOCK_LOST', leaseMs: BRIEFLY_MS })
    })
  })
})

/** A lock whose rivals are of its own kind. */
function twice(lockOf: LockOf): [lockOf: LockOf, rivalOf: LockOf] {
  return [lockOf, lockOf]
}
