import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { pairs } from '../../support/pairs.js'
import { topologies } from '../../support/topologies.js'

const LEASE_MS = 600_000

/** How far the clocks of client and server may be apart. */
const CLOCKS_MS = 5_000

/** What Java Redisson calls these values in Redis, where their codec makes plain text of them. */
const one = 'DqvoYruF5eyLDrILcprmBw'
const two = 'Lcoy0ji/MncMvbqDj+KCvA'
const values = ['student:001', 'student:002']

const names = [
  { group: 'wire-group', channel: 'redisson_lock__channel:{wire-group}' },
  { group: '{tag}:wire-group', channel: 'redisson_lock__channel:{tag}:wire-group' },
]

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const publish = topology.kind === 'cluster' ? 'spublish' : 'publish'

  describe.each(names)('a lock of two values of the group $group', ({ group, channel }) => {
    noLeaks(topology)
    const lock = () => clients.mine.getMultiLock(group, values)
    const ask = (command: string, ...args: readonly (string | number)[]) =>
      askOwner(topology, group, command, ...args)
    const hash = async () => pairs((await ask('HGETALL')) as string[])
    /** What one hold of both values looks like, all but its times. */
    const holdOf = (owner: string, count: number) =>
      Object.fromEntries(
        [one, two].flatMap((value) => [
          [value, owner],
          [`${value}:${owner}:expire_time`, expect.stringMatching(/^\d{13}$/) as unknown],
          [`${value}:${owner}:lock_count`, String(count)],
        ]),
      )

    it('is a hash of three fields for each value: its owner, its end on the wall clock, its count', async () => {
      const before = Date.now()
      const states: unknown[] = []
      let owner = ''
      await lock().withLock(
        async (hold) => {
          owner = hold.owner
          states.push(await hash())
          const ends = [one, two].map(async (value) =>
            Number(await ask('HGET', `${value}:${owner}:expire_time`)),
          )
          for (const end of await Promise.all(ends)) {
            expect(end).toBeGreaterThan(before + LEASE_MS - CLOCKS_MS)
            expect(end).toBeLessThan(Date.now() + LEASE_MS + CLOCKS_MS)
          }
          await lock().withLock(async () => states.push(await hash()))
          states.push(await hash())
        },
        { leaseMs: LEASE_MS },
      )
      expect(states).toEqual([holdOf(owner, 1), holdOf(owner, 2), holdOf(owner, 1)])
      expect(await ask('EXISTS')).toBe(0)
    })

    it('is gone before the leases in it have ended, since Java takes values in its last millisecond and loses them', async () => {
      const lease = async () => ({
        hash: Number(await ask('PEXPIRETIME')),
        value: Number(await ask('HGET', `${one}:${(await ask('HGET', one)) as string}:expire_time`)),
      })
      const [first, longer] = await lock().withLock(
        async () => [await lease(), await lock().withLock(lease, { leaseMs: 2 * LEASE_MS })] as const,
        { leaseMs: LEASE_MS },
      )
      expect(first.hash).toBeLessThan(first.value)
      expect(longer.hash).toBeLessThan(longer.value)
    })

    it('ends with the longest lease in it', async () => {
      const long = await lock().acquire({ leaseMs: LEASE_MS })
      const short = await clients.other.getMultiLock(group, ['other']).acquire({ leaseMs: 20_000 })
      expect(await ask('PTTL')).toBeGreaterThan(LEASE_MS - 60_000) // a test takes no longer
      await short.unlock()
      await long.unlock()
    })

    it('is announced as free whenever values have become free, and waited for on one channel', async () => {
      await using monitor = await Monitor.of(topology.nodes)
      const hold = await lock().acquire()
      const waiting = clients.other.getMultiLock(group, ['student:002']).acquire()
      await untilAwaited(topology, group)
      expect(await channelsOf(topology)).toEqual([channel])
      await hold.unlock()
      await (await waiting).unlock()
      expect(await monitor.published()).toEqual([
        [publish, channel, '0'],
        [publish, channel, '0'],
      ])
    })

    const java = `${randomUUID()}:57`
    const javaLocks = async (value: string, endsAt: number) => {
      await ask('HSET', value, java, `${value}:${java}:expire_time`, endsAt, `${value}:${java}:lock_count`, 1)
      await ask('PEXPIRE', LEASE_MS)
    }

    it('is not had while Java holds one of its values, and had when Java’s lease has ended', async () => {
      await javaLocks(two, Date.now() + LEASE_MS)
      expect(await lock().tryLock()).toBe(false)
      expect(await lock().isHeldByThread(java)).toBe(false)
      expect(await clients.mine.getMultiLock(group, ['student:002']).isHeldByThread(java)).toBe(true)
      await javaLocks(two, Date.now() - 1)
      const hold = await lock().acquire()
      expect(await hash()).toEqual(holdOf(hold.owner, 1)) // and nothing of Java's is left
      await hold.unlock()
    })

    it('leaves alone what Java holds of other values', async () => {
      const other = 'qwvAS12pR0CgRitaypEjUw'
      const endsAt = Date.now() + LEASE_MS
      await javaLocks(other, endsAt)
      await lock().withLock(async () => {
        await expect(
          clients.other.getMultiLock(group, ['a', 'student:001']).unlock({ threadId: 1 }),
        ).rejects.toThrow()
      })
      expect(await hash()).toEqual({
        [other]: java,
        [`${other}:${java}:expire_time`]: String(endsAt),
        [`${other}:${java}:lock_count`]: '1',
      })
      await ask('DEL')
    })
  })
})
