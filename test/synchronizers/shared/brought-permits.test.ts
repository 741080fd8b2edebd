import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import type { RedissonClient, SemaphoreSettings } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single, topologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a message alone. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** What both kinds of semaphore have in common. */
interface Semaphore {
  acquire(options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>
  tryAcquire(): Promise<unknown>
  trySetPermits(permits: number): Promise<boolean>
  addPermits(permits: number): Promise<void>
  availablePermits(): Promise<number>
  delete(): Promise<boolean>
}

interface Kind {
  readonly what: string
  readonly get: (client: RedissonClient, name: string, settings?: SemaphoreSettings) => Semaphore
  /** How many permits may be there without any doubt that three were set. */
  readonly unsuspicious: number
  readonly suspicious: number
  readonly warning: RegExp
}

const kinds: readonly Kind[] = [
  {
    what: 'semaphore',
    get: (client, name, settings) => client.getSemaphore(name, settings),
    unsuspicious: 2,
    suspicious: 5,
    warning: /has 5 free permits, which stays; this program brings 3/,
  },
  {
    what: 'semaphore whose permits can expire',
    get: (client, name, settings) => client.getPermitExpirableSemaphore(name, settings),
    unsuspicious: 3,
    suspicious: 2,
    warning: /has 2 permits, which stays; this program brings 3/,
  },
]

const ofEach = kinds.flatMap((kind) =>
  topologies.map((topology) => ({ ...kind, topology, at: topology.kind })),
)

describe.each(ofEach)('permits that a program brings for a $what ($at)', (kind) => {
  const { get, topology } = kind
  const clients = twoClients(topology)
  let name: string
  let bringing: Semaphore
  let other: Semaphore
  let emitWarning: MockInstance<typeof process.emitWarning>

  noLeaks(topology)

  beforeEach(() => {
    name = randomUUID() // because warnings are remembered by it
    bringing = get(clients.mine, name, { permits: 3 })
    other = get(clients.other, name)
    emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  })

  afterEach(async () => {
    emitWarning.mockRestore()
    await other.delete()
  })

  const warnings = () => emitWarning.mock.calls.map(([message, options]) => [message, options] as unknown)
  const notSet = (): unknown => [expect.stringContaining(name), { code: 'REDISSON_SEMAPHORE_NOT_SET' }]

  it('are set for those who bring none and stand in line before', async () => {
    const plain = get(clients.mine, name)
    const waiting = [plain.acquire(), plain.acquire()]
    await untilAwaited(topology, name)
    await get(clients.mine, name, { permits: 3 }).acquire()
    await Promise.all(waiting)
    expect(await plain.availablePermits()).toBe(0)
    await plain.delete()
  })

  it('are set by the request that takes the first of them', async () => {
    await bringing.acquire() // so that the server knows the script
    await other.delete()
    await using monitor = await Monitor.of(topology.nodes)
    await bringing.acquire()
    const requests = (await monitor.deedsOn(name)).filter(({ words }) => words[0]?.startsWith('eval'))
    expect(requests).toHaveLength(1)
    expect(await other.availablePermits()).toBe(2)
    expect(warnings()).toEqual([])
  })

  it('are set by no other call', async () => {
    expect(await bringing.availablePermits()).toBe(0)
    expect(await bringing.delete()).toBe(false)
    expect(await bringing.trySetPermits(4)).toBe(true)
    await bringing.addPermits(-1)
    expect(await other.availablePermits()).toBe(3)
  })

  it('are no more than once, however many ask at the same time', async () => {
    const theirs = get(clients.other, name, { permits: 3 })
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? bringing : theirs).tryAcquire()),
    )
    expect(taken.filter(Boolean)).toHaveLength(3)
    expect(await other.availablePermits()).toBe(0)
  })

  it('wake those who wait for some', async () => {
    const waiting = other.acquire()
    await untilAwaited(topology, name)
    await bringing.acquire()
    await waiting
    expect(await other.availablePermits()).toBe(1)
  })

  it('are set anew where the semaphore was removed', async () => {
    await bringing.acquire()
    await other.delete()
    await bringing.acquire()
    expect(await other.availablePermits()).toBe(2)
  })

  it('are not set where others are there, of which the process is warned once', async () => {
    await other.trySetPermits(kind.suspicious)
    await bringing.tryAcquire()
    await bringing.tryAcquire()
    expect(await other.availablePermits()).toBe(kind.suspicious - 2)
    expect(warnings()).toEqual([[expect.stringMatching(kind.warning), { code: 'REDISSON_PERMITS_DIFFER' }]])
  })

  it('are not complained of where there may be as many', async () => {
    await other.trySetPermits(kind.unsuspicious)
    await bringing.acquire()
    await bringing.acquire()
    await bringing.tryAcquire()
    await other.trySetPermits(3)
    expect(warnings()).toEqual([])
  })

  it('are missed by those who wait where none were ever set, of which the process is warned once', async () => {
    const waiting = [other.acquire(), other.acquire()]
    await untilAwaited(topology, name)
    await eventually(() => {
      expect(warnings()).toEqual([notSet()])
    })
    await bringing.acquire()
    await Promise.all(waiting)
    expect(warnings()).toEqual([notSet()])
  })

  it('are missed by those who wait where the key has gone', async () => {
    await other.trySetPermits(1)
    await other.acquire()
    const giveUp = new AbortController()
    const waiting = other.acquire({ signal: giveUp.signal })
    await untilAwaited(topology, name)
    await sleep(20) // it has looked for the first time
    expect(warnings()).toEqual([])
    await askOwner(topology, name, 'DEL')
    await eventually(async () => {
      for (const publish of ['PUBLISH', 'SPUBLISH']) {
        for (const node of topology.nodes) {
          await node.command(publish, `redisson_sc:{${name}}`, '1').catch(() => undefined)
        }
      }
      expect(warnings()).toEqual([notSet()])
    })
    giveUp.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it('are not missed by those who only try, or where none is left', async () => {
    expect(await other.tryAcquire()).toBeFalsy()
    await other.trySetPermits(0)
    await expect(other.acquire({ signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')
    expect(warnings()).toEqual([])
  })

  it.each([0, -1, 1.5, NaN, '3', null] as number[])('cannot be %s', (permits) => {
    expect(() => get(clients.mine, name, { permits })).toThrow(RangeError)
  })

  it.each([null, 3] as SemaphoreSettings[])('come in an object, not as %s', (settings) => {
    expect(() => get(clients.mine, name, settings)).toThrow(TypeError)
  })
})

describe('permits that can expire', () => {
  const clients = twoClients(single)

  it('are set less those that are lent, where only their number has gone', async () => {
    const seats = clients.mine.getPermitExpirableSemaphore('seats', { permits: 3 })
    await seats.acquire()
    await askOwner(single, 'seats', 'DEL')
    await seats.acquire()
    expect([await seats.availablePermits(), await seats.acquiredPermits()]).toEqual([1, 2])
    await seats.delete()
  })
})
