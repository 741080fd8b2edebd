import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Leadership, LeaderElection } from '../../../src/services/leader-election/leader-election.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { acquire } from '../../../src/locks/fenced/fenced-lock.scripts.js'
import { release } from '../../../src/locks/reentrant/lock.scripts.js'
import { Redisson } from '../../../src/client/redisson.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

const TIMEOUT_MS = 200
const WATCHDOG_MS = 1_500
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 5 }

describe.each([single, cluster])('a candidate whose messages get lost on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  /** The same two with leases that no busy machine outlasts. */
  let patient: readonly RedissonClient[]
  let mine: LeaderElection
  let theirs: LeaderElection
  let names = 0

  noLeaks(topology, { except: /^redisson_lock_token:/ })

  const ask = (command: string) => askOwner(topology, `ioredisson_leader:{${mine.name}}`, command)
  const heal = () => Promise.all(door.proxies.map((proxy) => proxy.heal()))

  /** Leads, as often as it is elected, until it is stopped. */
  const leadAlways = () => {
    const stop = new AbortController()
    const office: Leadership[] = []
    const outcome = mine.run(
      async (leadership) => {
        office.push(leadership)
        await untilAborted(leadership.signal)
      },
      { signal: stop.signal },
    )
    const end = () => {
      stop.abort()
      return outcome
    }
    return { office, end }
  }

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({ ...door.options(SETTINGS), lockWatchdogTimeout: WATCHDOG_MS })
    straight = await Redisson.create({ ...topology.options({}), lockWatchdogTimeout: WATCHDOG_MS })
    const settings = [door.options(SETTINGS), topology.options({})]
    patient = await Promise.all(settings.map((each) => Redisson.create(each)))
    await straight.getLeaderElection('warm').run(() => undefined, { requeue: false }) // so that the servers know the scripts
  })

  beforeEach(() => {
    const name = `lost-${String(names++)}`
    mine = client.getLeaderElection(name)
    theirs = straight.getLeaderElection(name)
  })

  afterEach(heal)

  afterAll(async () => {
    await Promise.all([client, straight, ...patient].map((each) => each.shutdown()))
    await door.stop()
  })

  describeFaults('a request that %s', TIMEOUT_MS, (...fault) => {
    it('elects, and gives the leadership up', async () => {
      const asked = strike(door.proxies, acquire.sha, fault)
      const given = strike(door.proxies, release.sha, fault)
      const tokens: number[] = []
      const [ours, others] = patient.map((each) => each.getLeaderElection(mine.name))
      await ours?.run(({ token }) => tokens.push(token), { requeue: false })
      await Promise.all([asked.struck, given.struck])
      await others?.run(({ token }) => tokens.push(token), { requeue: false })
      expect(tokens).toHaveLength(2)
      expect(tokens[1]).toBeGreaterThan(Number(tokens[0]))
    })
  })

  it('leads on when its connections are cut', { tags: ['timed'] }, async () => {
    const { office, end } = leadAlways()
    await eventually(() => office.length === 1)
    for (const proxy of door.proxies) proxy.cut()
    await sleep(WATCHDOG_MS * 1.3)
    expect([office.length, mine.isLeader]).toEqual([1, true])
    await end()
  })

  it(
    'stops leading in a silence before Redis lets another lead, and competes again afterwards',
    { tags: ['timed'] },
    async () => {
      const office = new LimitedResource()
      const tokens: number[] = []
      const [stop, stopOther] = [new AbortController(), new AbortController()]
      const lead = (election: LeaderElection, { signal: until }: AbortController) =>
        election.run(
          ({ signal, token }) =>
            office.use(async () => {
              tokens.push(token)
              await untilAborted(signal)
            }),
          { signal: until },
        )
      const outcome = lead(mine, stop)
      await eventually(() => mine.isLeader)
      const other = lead(theirs, stopOther)
      for (const proxy of door.proxies) proxy.stall()
      await eventually(() => theirs.isLeader)
      expect(mine.isLeader).toBe(false)
      await heal()
      await sleep(WATCHDOG_MS)
      expect([mine.isLeader, theirs.isLeader]).toEqual([false, true])
      stopOther.abort()
      await other
      await eventually(() => mine.isLeader)
      stop.abort()
      await outcome
      expect(office.highest).toBe(1)
      expect(tokens).toHaveLength(3)
      expect(tokens).toEqual(tokens.toSorted((a, b) => a - b))
    },
  )

  it('tries on while Redis cannot be reached, before it leads and after', { tags: ['timed'] }, async () => {
    const shut = () => {
      for (const proxy of door.proxies) {
        proxy.refuse()
        proxy.cut()
      }
    }
    shut()
    const { office, end } = leadAlways()
    await sleep(2_000)
    await heal()
    await eventually(() => mine.isLeader)
    shut()
    await eventually(() => office[0]?.signal.aborted === true)
    expect(office[0]?.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    await sleep(1_000)
    await heal()
    await eventually(() => mine.isLeader)
    expect(office).toHaveLength(2)
    await end()
  })

  it('leaves nothing when it gives up while Redis is silent', async () => {
    const { office, end } = leadAlways()
    await eventually(() => office.length === 1)
    for (const proxy of door.proxies) proxy.stall()
    await end()
    await heal()
    await eventually(async () => (await ask('EXISTS')) === 0)
  })
})
