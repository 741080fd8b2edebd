import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { BRIEFLY_MS, WATCHDOG_MS } from '../../contracts/lock-fixture.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

/** So long that no hold is lost where a machine stands still. */
const LASTING_MS = 30_000

/** How often a waiter asks before it sleeps: once without listening, and once when it is sure to hear. */
const BEFORE_SLEEP = 2

/** What Java Redisson makes of a name: the channel of a lock, and the beginning of its latches. */
const names = [
  {
    name: 'wire-lock',
    channel: 'redisson_lock__channel:{wire-lock}',
    latch: 'redisson_unlock_latch:{wire-lock}:',
  },
  {
    name: '{tag}:wire-lock',
    channel: 'redisson_lock__channel:{tag}:wire-lock',
    latch: 'redisson_unlock_latch:{tag}:wire-lock:',
  },
]

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology, { lockWatchdogTimeout: LASTING_MS })
  const brief = twoClients(topology, { lockWatchdogTimeout: WATCHDOG_MS })
  const publish = topology.kind === 'cluster' ? 'spublish' : 'publish'

  describe.each(names)('a lock called $name', ({ name, channel, latch }) => {
    const mine = (): RLock => clients.mine.getLock(name)
    const theirs = (): RLock => clients.other.getLock(name)
    const ask = (command: string, ...args: readonly (string | number)[]) =>
      askOwner(topology, name, command, ...args)
    const hash = async () => pairs((await ask('HGETALL')) as string[])
    const watch = () => Monitor.of(topology.nodes)

    describe('as a key', () => {
      noLeaks(topology)

      it('is a hash of the owner to its hold count, and gone with the last hold', async () => {
        const states: unknown[] = []
        const { id } = clients.mine
        let owner = ''
        await clients.mine.runAsThread(async () => {
          const lock = mine()
          for (const step of [
            () => lock.lock(),
            () => lock.lock(),
            () => lock.unlock(),
            () => lock.unlock(),
          ]) {
            await step()
            states.push(await hash())
            owner ||= Object.keys(await hash())[0] ?? ''
          }
        })
        expect(owner).toMatch(new RegExp(`^${id}:[1-9]\\d*$`))
        expect(states).toEqual([{ [owner]: '1' }, { [owner]: '2' }, { [owner]: '1' }, {}])
        expect(await ask('TYPE')).toBe('none')
      })

      it('names its owner by the client’s UUID in lower case and a positive decimal number', async () => {
        await using hold = await mine().acquire()
        expect(await hash()).toEqual({ [`${clients.mine.id}:${hold.threadId}`]: '1' })
        expect(clients.mine.id).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
        expect(BigInt(hold.threadId)).toBeLessThan(2n ** 63n) // Java's long
      })

      it.each([
        ['the watchdog’s time', undefined, LASTING_MS],
        ['its lease', 60_000, 60_000],
      ])('ends after %s without renewal', async (_, leaseMs, expected) => {
        await using _hold = await mine().acquire({ ...(leaseMs !== undefined && { leaseMs }) })
        const leftMs = (await ask('PTTL')) as number
        expect(leftMs).toBeLessThanOrEqual(expected)
        expect(leftMs).toBeGreaterThan(expected - 10_000)
      })

      it('names the one who has it whenever it is handed on, and never lacks an end', async () => {
        const visit = async (lock: RLock) => {
          const hold = await lock.acquire()
          expect(await hash()).toEqual({ [hold.owner]: '1' })
          expect(await ask('PTTL')).toBeGreaterThan(0)
          await hold.unlock()
        }
        const visits = Array.from({ length: 30 }, (_, index) => visit(index % 3 === 0 ? theirs() : mine()))
        await Promise.all(visits)
      })

      it('gives the waiter that takes the lock over the lease that it has asked for', async () => {
        const hold = await mine().acquire()
        const waiters = [mine().acquire({ leaseMs: 60_000 }), mine().acquire()]
        await untilAwaited(topology, name)
        await hold.unlock()
        const [leased, watched] = waiters
        const first = await leased
        expect(await ask('PTTL')).toBeGreaterThan(50_000)
        await first?.unlock()
        const second = await watched
        expect(await ask('PTTL')).toBeLessThanOrEqual(LASTING_MS)
        await second?.unlock()
      })
    })

    describe('in commands', () => {
      noLeaks(topology)

      it('costs one to acquire and one to release, without contention', async () => {
        await mine().withLock(() => undefined) // every script is known from here on
        await using monitor = await watch()
        await mine().lock()
        await mine().unlock()
        expect(await requests(monitor, name)).toEqual(['evalsha', 'evalsha'])
        if (topology.kind === 'single') {
          const sent = (await monitor.deeds()).filter(({ by }) => by === 'client') // elsewhere servers talk as well
          expect(sent).toHaveLength(2)
        }
        const owner = await ownerOf(topology, name)
        expect(await owner.command('KEYS', '*')).toEqual([])
      })

      it.each<[string, (lock: RLock) => Promise<unknown>]>([
        ['withLock()', (lock) => lock.withLock(() => undefined)],
        ['acquire()', async (lock) => (await lock.acquire()).unlock()],
        ['tryLock()', async (lock) => (await lock.tryLock()) && lock.unlock()],
        ['tryLock(waitMs, leaseMs)', async (lock) => (await lock.tryLock(20_000, 20_000)) && lock.unlock()],
        [
          'lock() in runAsThread()',
          (lock) => clients.mine.runAsThread(() => lock.lock().then(() => lock.unlock())),
        ],
      ])('costs two by %s as well', async (_, use) => {
        await use(mine())
        await using monitor = await watch()
        await use(mine())
        expect(await requests(monitor, name)).toEqual(['evalsha', 'evalsha'])
      })

      it('costs one to be refused', async () => {
        const hold = await theirs().acquire()
        await using monitor = await watch()
        expect(await mine().tryLock()).toBe(false)
        expect(await requests(monitor, name)).toEqual(['evalsha'])
        await hold.unlock()
      })

      it('costs one more to come in again', async () => {
        await mine().withLock(async () => {
          await using monitor = await watch()
          await mine().withLock(() => undefined)
          expect(await requests(monitor, name)).toEqual(['evalsha', 'evalsha'])
        })
      })

      it('costs nothing to wait in a queue that has a waiter', async () => {
        const hold = await theirs().acquire({ leaseMs: 60_000 })
        await using monitor = await watch()
        const first = mine().acquire()
        await untilRequests(monitor, name, BEFORE_SLEEP)
        const others = Array.from({ length: 20 }, () => mine().tryAcquire({ waitMs: 300 }))
        expect(new Set(await Promise.all(others))).toEqual(new Set([undefined]))
        expect(await requests(monitor, name)).toHaveLength(BEFORE_SLEEP)
        await hold.unlock()
        await (await first).unlock()
      })
    })

    describe('in messages', () => {
      noLeaks(topology)

      it('is announced once as free, in the step that deletes it', async () => {
        await using monitor = await watch()
        await mine().lock()
        await mine().unlock()
        expect(await monitor.published()).toEqual([[publish, channel, '0']])
        const steps = (await monitor.deeds()).filter(({ by }) => by === 'script').map(({ words }) => words)
        expect(steps.slice(-2)).toEqual([
          ['del', name],
          [publish, channel, '0'],
        ])
      })

      it('is not announced by what does not free it', async () => {
        const hold = await theirs().acquire({ leaseMs: 60_000 })
        await using monitor = await watch()
        expect(await mine().tryLock()).toBe(false)
        expect(await mine().tryLock(300)).toBe(false)
        await expect(mine().unlock()).rejects.toThrow()
        await clients.mine.runAsThread(() => expect(mine().unlock()).rejects.toThrow())
        expect(await monitor.published()).toEqual([])
        await hold.unlock()
      })

      it('is not announced while holds remain', async () => {
        await using monitor = await watch()
        await mine().withLock(async () => {
          await mine().withLock(() => undefined)
          expect(await monitor.published()).toEqual([])
        })
        expect(await monitor.published()).toEqual([[publish, channel, '0']])
      })

      it('is announced for a lease that another has ended, but not for one that ends by itself', async () => {
        await using monitor = await watch()
        await mine().lock(BRIEFLY_MS)
        await eventually(async () => !(await theirs().isLocked()))
        await expect(mine().unlock()).rejects.toThrow()
        expect(await monitor.published()).toEqual([])
      })

      it('is waited for on one channel, which is left with the last waiter', async () => {
        const hold = await theirs().acquire()
        const waiters = [mine().acquire(), mine().acquire(), mine().acquire()]
        await untilAwaited(topology, name)
        expect(await channelsOf(topology)).toEqual([channel])
        await hold.unlock()
        for (const waiter of waiters) await (await waiter).unlock()
        await eventually(async () => (await channelsOf(topology)).length === 0)
      })
    })

    describe('with requests that a count cannot distinguish', () => {
      noLeaks(topology)

      it('remembers each of them under a key of its own for a while, as Redisson’s latches', async () => {
        await mine().lock({ threadId: 7 })
        await mine().unlock({ threadId: 7 })
        const keys = (
          await Promise.all(topology.nodes.map((node) => node.command('KEYS', `${latch}*`)))
        ).flat()
        const latches = [...new Set(keys as string[])]
        expect(latches).toHaveLength(2)
        for (const key of latches) {
          expect(key.slice(latch.length)).toMatch(/^[0-9a-f]{32}$/)
          expect(await askOwner(topology, key, 'TYPE')).toBe('string')
          const leftMs = (await askOwner(topology, key, 'PTTL')) as number
          expect(leftMs).toBeGreaterThan(0)
          expect(leftMs).toBeLessThanOrEqual(50_000 + LASTING_MS) // as long as a copy may be under way, and its lease lasts
        }
      })

      it('costs two commands all the same', async () => {
        await mine().lock({ threadId: 7 })
        await mine().unlock({ threadId: 7 })
        await using monitor = await watch()
        await mine().lock({ threadId: 7 })
        await mine().unlock({ threadId: 7 })
        expect(await requests(monitor, name)).toEqual(['evalsha', 'evalsha'])
      })

      it('is announced when it is forced open, if it was held', async () => {
        await using monitor = await watch()
        await mine().forceUnlock()
        expect(await monitor.published()).toEqual([])
        await mine().acquire()
        await theirs().forceUnlock()
        expect(await monitor.published()).toEqual([[publish, channel, '0']])
      })

      it('writes the owner of another client as that client would', async () => {
        const owner = `${randomUUID()}:57`
        await mine().lock({ threadId: owner })
        expect(await hash()).toEqual({ [owner]: '1' })
        await theirs().unlock({ threadId: owner })
        expect(await hash()).toEqual({})
      })
    })

    describe('together with a client in Java', () => {
      noLeaks(topology)

      const java = `${randomUUID()}:57`
      const javaLocks = async (leaseMs = 60_000): Promise<void> => {
        await ask('HINCRBY', java, 1)
        await ask('PEXPIRE', leaseMs)
      }
      const javaUnlocks = async (): Promise<void> => {
        await ask('DEL')
        await askOwner(topology, channel, publish, '0')
      }

      it('it is not taken, entered or given back while Java holds it', async () => {
        await javaLocks()
        expect(await mine().isLocked()).toBe(true)
        expect(await mine().tryLock()).toBe(false)
        expect(await mine().isHeldByThread(java)).toBe(true)
        await expect(mine().unlock()).rejects.toMatchObject({ holder: { owner: java } })
        await expect(mine().unlock({ threadId: 57 })).rejects.toMatchObject({ code: 'NOT_HELD' })
        expect(await hash()).toEqual({ [java]: '1' })
        await ask('DEL')
      })

      it('it is had as soon as Java gives it back', async () => {
        await javaLocks()
        const waiter = mine().acquire()
        await untilAwaited(topology, name)
        await javaUnlocks()
        await (await waiter).unlock()
      })

      it('it is had when Java’s lease has ended', async () => {
        await javaLocks(100)
        await (await mine().acquire()).unlock()
      })

      it('it is asked for once per message, and only if the message says so', async () => {
        await javaLocks()
        await using monitor = await watch()
        const waiter = mine().acquire()
        await untilRequests(monitor, name, BEFORE_SLEEP)
        for (const message of ['1', 'x', '']) await askOwner(topology, channel, publish, message)
        await askOwner(topology, channel, publish, '0')
        await untilRequests(monitor, name, BEFORE_SLEEP + 1)
        await javaUnlocks()
        await (await waiter).unlock()
        expect(await requests(monitor, name)).toHaveLength(BEFORE_SLEEP + 3) // one more took it, another gave it back
      })

      it(
        'its lease is not touched by the watchdog of an owner that has lost it to Java',
        { tags: ['timed'] },
        async () => {
          const hold = await brief.mine.getLock(name).acquire()
          await ask('DEL')
          await javaLocks(60_000)
          await untilAborted(hold.signal)
          expect(hold.signal.reason).toMatchObject({ reason: 'not-held' })
          const leftMs = (await ask('PTTL')) as number
          expect(leftMs).toBeLessThanOrEqual(60_000)
          expect(leftMs).toBeGreaterThan(50_000)
          expect(await hash()).toEqual({ [java]: '1' })
          await ask('DEL')
        },
      )

      it('its short lease is not lengthened by the watchdog of an owner that has lost it to Java', async () => {
        const hold = await brief.mine.getLock(name).acquire()
        await ask('DEL')
        await javaLocks(WATCHDOG_MS / 2)
        await untilAborted(hold.signal)
        expect((await ask('PTTL')) as number).toBeLessThanOrEqual(WATCHDOG_MS / 2)
        await ask('DEL')
      })

      it('it is published to Java, as text that is a number', async () => {
        await using monitor = await watch()
        await elsewhere(() => mine().withLock(() => undefined))
        const [message] = await monitor.published()
        expect(message?.[2]).toMatch(/^\d+$/)
      })
    })
  })
})

/** Resolves when that number of commands about a lock have been sent. */
async function untilRequests(monitor: Monitor, name: string, count: number): Promise<void> {
  await eventually(async () => expect(await requests(monitor, name)).toHaveLength(count), {
    what: `${count} requests`,
  })
}

/** The scripts that clients have run to take a lock or to give it back. A renewal has no request of its own. */
async function requests(monitor: Monitor, name: string): Promise<string[]> {
  const deeds = (await monitor.deedsOn(name)).filter(({ by, words }) => by === 'client' && hasRequest(words))
  return deeds.map(({ words }) => words[0] ?? '').filter((word) => word.startsWith('eval'))
}

function hasRequest(words: readonly string[]): boolean {
  return words.some((word) => word.startsWith('redisson_unlock_latch:'))
}

function pairs(flat: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    flat.flatMap((field, index) => (index % 2 === 0 ? [[field, flat[index + 1] ?? '']] : [])),
  )
}
