import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RMultiLock } from '../../../src/index.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, sentinel, single, topologies } from '../../support/topologies.js'

type Clients = readonly [RedissonClient, ...RedissonClient[]]

const kinds: readonly (readonly [string, (clients: Clients) => RMultiLock])[] = [
  [
    'a multi-lock',
    (clients) => clients[0].getMultiLock(...clients.map((client) => client.getLock('closed'))),
  ],
  ['a red lock', (clients) => Redisson.createRedLock(clients, 'closed')],
]

describe.each(kinds)('%s whose clients have been shut down', (_, lockOf) => {
  for (const topology of topologies) noLeaks(topology)
  let clients: Clients
  let lock: RMultiLock

  beforeEach(async () => {
    const create = (topology: (typeof topologies)[number]) => Redisson.create(topology.options())
    clients = await Promise.all([create(single), create(sentinel), create(cluster)])
    lock = lockOf(clients)
  })

  afterEach(() => shutDown())

  const shutDown = () => Promise.all(clients.map((client) => client.shutdown({ release: true })))

  it('rejects so, for every method', async () => {
    const hold = await lock.acquire()
    await shutDown()
    const closed = { code: 'CLOSED' }
    await expect(lock.acquire()).rejects.toMatchObject(closed)
    await expect(lock.tryAcquire()).rejects.toMatchObject(closed)
    await expect(lock.withLock(() => undefined)).rejects.toMatchObject(closed)
    await expect(lock.unlock({ threadId: 1 })).rejects.toMatchObject(closed)
    await expect(hold.unlock()).rejects.toMatchObject(closed)
  })

  it('has its holds end without an error', async () => {
    const hold = await lock.acquire()
    await shutDown()
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
    await expect(hold[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })

  it('has its holds end without an error where a member was lost before', async () => {
    const hold = await lock.acquire()
    await clients[0].getLock('closed').forceUnlock()
    await shutDown()
    await expect(hold[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })
})
