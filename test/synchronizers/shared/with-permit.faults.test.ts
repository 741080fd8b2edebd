import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReleaseDelayedEvent } from '../../../src/api/events.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import * as permitScripts from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.scripts.js'
import * as semaphoreScripts from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

/** A request is sent once, and a copy of it counts as under way for a quarter of a second. */
const SETTINGS = { timeout: 200, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 0 }

/** Longer than a request may be under way or is usually remembered. */
const AWAY_MS = 600

const NAME = 'with-permit'

/** Much longer than a test. */
const LEASE_MS = 600_000

/** What both kinds of semaphore have in common. */
interface Kind {
  readonly what: string
  readonly release: string
  /** Whether permits have ids. */
  readonly hasIds: boolean
  readonly section: <T>(client: RedissonClient, fn: () => T | Promise<T>) => Promise<T>
  readonly of: (client: RedissonClient) => {
    readonly trySetPermits: (permits: number) => Promise<boolean>
    readonly availablePermits: () => Promise<number>
    readonly delete: () => Promise<boolean>
  }
}

const kinds: readonly Kind[] = [
  {
    what: 'a semaphore',
    release: semaphoreScripts.release.sha,
    hasIds: false,
    section: (client, fn) => client.getSemaphore(NAME).withPermit(fn),
    of: (client) => client.getSemaphore(NAME),
  },
  {
    what: 'a semaphore whose permits can expire',
    release: permitScripts.release.sha,
    hasIds: true,
    section: (client, fn) => client.getPermitExpirableSemaphore(NAME).withPermit(fn, { leaseMs: LEASE_MS }),
    of: (client) => client.getPermitExpirableSemaphore(NAME),
  },
  {
    what: 'a semaphore, held with `await using`',
    release: permitScripts.release.sha,
    hasIds: true,
    section: async (client, fn) => {
      await using hold = await client.getPermitExpirableSemaphore(NAME).acquirePermit({ leaseMs: LEASE_MS })
      expect(hold.isHeld).toBe(true)
      return await fn()
    },
    of: (client) => client.getPermitExpirableSemaphore(NAME),
  },
]

const ofEach = kinds.flatMap((kind) =>
  topologies.map((topology) => ({ ...kind, topology, at: topology.kind })),
)

describe.each(ofEach)('a permit of $what on its way back ($at)', (kind) => {
  const { topology, release } = kind
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let patient: RedissonClient
  /** Waits for no release at the end, and for as long as a test takes for any reply. */
  let silent: RedissonClient
  let straight: RedissonClient

  noLeaks(topology)

  beforeAll(async () => {
    straight = await Redisson.create(topology.options())
  })

  beforeEach(async () => {
    door = await proxied(topology)
    client = await Redisson.create({ ...door.options(SETTINGS), connectWaitMs: 20_000 })
    patient = await Redisson.create(door.options({ ...SETTINGS, timeout: 3_000 }))
    silent = await Redisson.create({ ...door.options({ ...SETTINGS, timeout: 600_000 }), releaseWaitMs: 0 })
    await kind.of(straight).trySetPermits(3)
    await kind.section(straight, () => undefined) // so that the server knows the scripts
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await Promise.all([client, patient, silent].map((each) => each.shutdown()))
    await kind.of(straight).delete()
    await door.stop()
  })

  afterAll(() => straight.shutdown())

  const free = () => kind.of(straight).availablePermits()

  const goAway = () => {
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
  }

  const comeBack = () => Promise.all(door.proxies.map((proxy) => proxy.accept()))

  it.each(['request', 'reply'] as const)(
    'comes back once when the network is away at the %s for longer than a request lives',
    { tags: ['timed'] },
    async (moment) => {
      for (const proxy of door.proxies) {
        if (moment === 'request') proxy.onRequest(release, goAway)
        else proxy.onReply(release, goAway)
      }
      expect(await kind.section(client, () => 'done')).toBe('done')
      expect(await free()).toBe(moment === 'request' ? 2 : 3)
      await sleep(AWAY_MS)
      const answered = door.proxies.map((proxy) => proxy.onReply(release).happened)
      await comeBack()
      await Promise.race(answered)
      await eventually(async () => (await free()) === 3)
      await sleep(AWAY_MS)
      expect(await free()).toBe(3)
    },
  )

  it('is late, and the program is told, and its work is not to be done again', async () => {
    const delays: ReleaseDelayedEvent[] = []
    patient.on('releaseDelayed', (event) => delays.push(event))
    for (const proxy of door.proxies) proxy.onRequest(release, goAway)
    expect(await kind.section(patient, () => 'done')).toBe('done')
    expect(delays).toEqual([
      {
        kind: 'permit',
        name: NAME,
        owner: kind.hasIds ? (expect.stringMatching(/^[0-9a-f]{32}$/) as string) : undefined,
        error: expect.objectContaining({ code: 'CONNECTION_LOST' }) as Error,
      },
    ])
    await comeBack()
    await eventually(async () => (await free()) === 3)
  })

  it('is not waited for any longer than the program wants', async () => {
    const delays: ReleaseDelayedEvent[] = []
    silent.on('releaseDelayed', (event) => delays.push(event))
    const result = await kind.section(silent, () => {
      for (const proxy of door.proxies) proxy.stall()
      return 'done'
    })
    expect(result).toBe('done')
    expect(delays).toMatchObject([{ kind: 'permit', name: NAME, error: undefined }])
    for (const proxy of door.proxies) proxy.resume()
    await eventually(async () => (await free()) === 3)
  })

  it('comes back although the function has failed', async () => {
    const error = new Error('failed')
    for (const proxy of door.proxies) proxy.onRequest(release, goAway)
    await expect(kind.section(patient, () => Promise.reject(error))).rejects.toBe(error)
    await sleep(AWAY_MS)
    await comeBack()
    await eventually(async () => (await free()) === 3)
  })

  it('is waited for by the shutdown', async () => {
    for (const proxy of door.proxies) proxy.onRequest(release, goAway)
    expect(await kind.section(patient, () => 'done')).toBe('done')
    const shutdown = patient.shutdown()
    await sleep(AWAY_MS)
    await comeBack()
    await shutdown
    expect(await free()).toBe(3)
  })
})
