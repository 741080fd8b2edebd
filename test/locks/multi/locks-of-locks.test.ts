import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  Redisson,
  type AnyLock,
  type LockLostEvent,
  type RedissonClient,
  type RMultiLock,
} from '../../../src/index.js'
import { WATCHDOG_MS } from '../../contracts/lock-fixture.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

/** Databases of one server are as good as servers, as long as none of them fails. */
const SERVERS = 3

/** A red lock waits for each server for a twentieth of it: for longer than any of these tests waits. */
const LASTING = { lockWatchdogTimeout: 1_200_000 }

const connect = (): Promise<RedissonClient[]> =>
  Promise.all(
    Array.from({ length: SERVERS }, (_, database) =>
      Redisson.create({ ...single.options({ database }), ...LASTING }),
    ),
  )

const sidesOf = (client: RedissonClient, name: string) => {
  const lock = client.getReadWriteLock(name)
  return { readLock: lock.readLock(), writeLock: lock.writeLock() }
}

describe('locks made of locks', () => {
  noLeaks(single)

  let mine: readonly RedissonClient[]
  let theirs: readonly RedissonClient[]
  let names = 0

  beforeAll(async () => {
    ;[mine, theirs] = await Promise.all([connect(), connect()])
  })

  afterAll(() => Promise.all([...mine, ...theirs].map((client) => client.shutdown())))

  const fresh = (): string => `of-locks-${String(names++)}`
  const at = (clients: readonly RedissonClient[], server: number) => clients[server] as RedissonClient
  const red = (clients: readonly RedissonClient[], ...all: readonly string[]): RMultiLock =>
    Redisson.createRedLock(clients, all)
  const heldAt = (name: string): Promise<boolean[]> =>
    Promise.all(theirs.map((client) => client.getLock(name).isLocked()))

  describe('a red lock of several names', () => {
    it('is held where all of them are, and given back as a whole', async () => {
      const [a, b] = [fresh(), fresh()]
      const lock = red(mine, b, a)
      expect(lock.name).toBe(`${a},${b}`)
      for (const leaseMs of [0, 120_000]) {
        const hold = await lock.acquire({ leaseMs })
        await eventually(async () => {
          expect([await heldAt(a), await heldAt(b)].flat()).toEqual(
            Array.from({ length: 2 * SERVERS }, () => true),
          )
        })
        expect(await red(theirs, b, fresh()).tryLock()).toBe(false)
        expect(await red(theirs, a).tryLock()).toBe(false)
        await hold.extend(240_000)
        await hold.unlock()
        await eventually(async () => {
          expect([await heldAt(a), await heldAt(b)].flat()).toEqual(
            Array.from({ length: 2 * SERVERS }, () => false),
          )
        })
      }
    })

    it('is not had where a majority of servers lacks one of them, and leaves nothing', async () => {
      const [a, b] = [fresh(), fresh()]
      const hold = await red(theirs, b).acquire()
      expect(await red(mine, a, b).tryAcquire()).toBeUndefined()
      await eventually(async () => {
        expect(await heldAt(a)).toEqual([false, false, false])
      })
      await hold.unlock()
    })

    it('is known to every object of its first client, for any order of the names and the others', async () => {
      const [a, b] = [fresh(), fresh()]
      await red(mine, a, b).lock()
      await red([at(mine, 0), ...mine.slice(1).toReversed()], b, a, b).unlock()
      await eventually(async () => {
        expect(await heldAt(a)).toEqual([false, false, false])
      })
    })

    it('of one name is the red lock of that name', async () => {
      const a = fresh()
      await red(mine, a).lock()
      await Redisson.createRedLock(mine, a).unlock()
      await eventually(async () => {
        expect(await heldAt(a)).toEqual([false, false, false])
      })
    })

    it('needs a name, and texts for names', () => {
      expect(() => Redisson.createRedLock(mine, [])).toThrow('Expected at least one lock, got none')
      expect(() => Redisson.createRedLock(mine, [7] as never)).toThrow(
        'Expected `name` to be a non-empty string',
      )
    })
  })

  describe('at a server that replies late', () => {
    /** Longer than the others take together, and far below what a red lock waits for a late server. */
    const DELAY_MS = 50
    let late: Proxied<typeof single>
    let clients: readonly RedissonClient[]

    beforeAll(async () => {
      late = await proxied(single)
      clients = [...mine.slice(1), await Redisson.create({ ...late.options({ database: 0 }), ...LASTING })]
      late.proxies[0]?.delay(DELAY_MS, 'replies')
    })

    afterAll(async () => {
      await clients.at(-1)?.shutdown()
      await late.stop()
    })

    const pairs = (name: string, of: readonly RedissonClient[]) =>
      of.map((client) => client.getMultiLock(client.getLock(name), client.getFairLock(`${name}-too`)))
    const redOf = (members: readonly RMultiLock[]) => at(clients, 0).getRedLock(...members)

    it.each([
      ['multi-locks', pairs],
      ['red locks', (name: string) => [red(clients, name), red(clients, `${name}-too`)]],
    ])('all %s of a red lock join it', async (_kind, membersOf) => {
      const name = fresh()
      const hold = await redOf(membersOf(name, clients)).acquire()
      await eventually(async () => {
        expect([await heldAt(name), await heldAt(`${name}-too`)].flat()).not.toContain(false)
      })
      await hold.unlock()
      await eventually(async () => {
        expect([await heldAt(name), await heldAt(`${name}-too`)].flat()).not.toContain(true)
      })
    })

    it('what a refused red lock of multi-locks has got is free again soon', async () => {
      const name = fresh()
      const inTheWay = await Promise.all(
        mine.slice(1).map((client) => client.getLock(`${name}-too`).acquire()),
      )
      expect(await redOf(pairs(name, clients)).tryAcquire()).toBeUndefined()
      await eventually(async () => {
        expect(await heldAt(name)).toEqual([false, false, false])
        expect((await heldAt(`${name}-too`))[0]).toBe(false)
      })
      for (const hold of inTheWay) await hold.unlock()
    })
  })

  it('may be members again, of any kind', async () => {
    const [a, b, c, d] = [fresh(), fresh(), fresh(), fresh()]
    const members = (clients: readonly RedissonClient[]): AnyLock[] => [
      red(clients, a),
      at(clients, 0).getMultiLock(red(clients, b), at(clients, 1).getLock(c)),
      at(clients, 0).getRedLock(
        ...clients.map((client) => client.getMultiLock(client.getLock(d), client.getFairLock(`${d}-too`))),
      ),
    ]
    const lock = at(mine, 0).getMultiLock(...members(mine))
    for (const leaseMs of [0, 10_000]) {
      await lock.withLock(
        async (hold) => {
          expect(hold.isHeld).toBe(true)
          await eventually(async () => {
            expect((await Promise.all([a, b, d, `${d}-too`].map(heldAt))).flat()).not.toContain(false)
          })
          await eventually(async () => {
            expect(await heldAt(c)).toEqual([false, true, false])
          })
          await lock.withLock(async (inner) => {
            await inner.extend(20_000)
          })
          for (const member of members(theirs)) expect(await member.tryLock()).toBe(false)
        },
        { leaseMs },
      )
      await eventually(async () => {
        expect((await Promise.all([a, b, c, d, `${d}-too`].map(heldAt))).flat()).not.toContain(true)
      })
    }
  })

  it('wait for no owner while others wait for them, for any names', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()]
    const visit = async (
      clients: readonly RedissonClient[],
      of: (all: readonly RedissonClient[]) => AnyLock,
    ) => {
      for (let round = 0; round < 10; round += 1)
        await of(clients).withLock(() => undefined, { waitMs: 15_000 })
    }
    const shapes: readonly ((clients: readonly RedissonClient[]) => AnyLock)[] = [
      (all) => at(all, 0).getMultiLock(red(all, a, c), red(all, b)),
      (all) => at(all, 0).getMultiLock(red(all, b), red(all, c)),
      (all) => at(all, 0).getMultiLock(...all.map((each) => each.getLock(b)), red(all, c, a)),
      (all) => at(all, 0).getMultiLock(...all.flatMap((each) => [each.getLock(c), each.getLock(b)])),
    ]
    await Promise.all(shapes.map((of, index) => elsewhere(() => visit(index % 2 === 0 ? mine : theirs, of))))
    await eventually(async () => {
      expect((await Promise.all([a, b, c].map(heldAt))).flat()).not.toContain(true)
    })
  })

  it('keep nothing while they wait for a red lock', async () => {
    const [a, b] = [fresh(), fresh()]
    const hold = await red(theirs, b).acquire()
    const waiting = at(mine, 0).getMultiLock(at(mine, 0).getLock(a), red(mine, b)).acquire()
    for (let turn = 0; turn < 10; turn += 1)
      await at(theirs, 0)
        .getLock(a)
        .withLock(() => undefined, { waitMs: 10_000 })
    await hold.unlock()
    await (await waiting).unlock()
  })

  it('are reported as lost once, as the whole that the program took', async () => {
    const [a, b] = [fresh(), fresh()]
    const lost: string[] = []
    const listen = ({ lock }: LockLostEvent) => void lost.push(lock)
    for (const client of mine) client.on('lockLost', listen)
    const lock = at(mine, 0).getMultiLock(red(mine, a), at(mine, 0).getLock(b))
    const hold = await lock.acquire({ leaseMs: 20_000 })
    await Promise.all(theirs.map((client) => client.getLock(a).forceUnlock()))
    await expect(hold.extend(30_000)).rejects.toMatchObject({ code: 'LOCK_LOST', lock: lock.name })
    expect(hold.signal.aborted).toBe(true)
    expect(lost).toEqual([lock.name])
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    await eventually(async () => {
      expect((await Promise.all([a, b].map(heldAt))).flat()).not.toContain(true)
    })
    for (const client of mine) client.off('lockLost', listen)
  })

  it('are no news when the lease has ended that was asked for', { tags: ['timed'] }, async () => {
    const [a, b] = [fresh(), fresh()]
    const lost: string[] = []
    const listen = ({ lock }: LockLostEvent) => void lost.push(lock)
    for (const client of mine) client.on('lockLost', listen)
    const both = at(mine, 0).getMultiLock(red(mine, a), at(mine, 0).getLock(b))
    const holds = [
      await both.acquire({ leaseMs: 1_000 }),
      await red(mine, fresh()).acquire({ leaseMs: 1_000 }),
    ]
    for (const hold of holds) await untilAborted(hold.signal)
    await sleep(100) // by now the servers have let go, too
    for (const hold of holds)
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', cause: { leaseMs: 1_000 } })
    expect(lost).toEqual([])
    for (const client of mine) client.off('lockLost', listen)
  })

  it('do not let branches in side by side because a member would', async () => {
    const [a, b] = [fresh(), fresh()]
    const resource = new LimitedResource()
    const lock = at(mine, 0).getMultiLock(at(mine, 0).getReadWriteLock(a).readLock(), at(mine, 0).getLock(b))
    await lock.withLock(async () => {
      const work = async () => {
        for (let question = 0; question < 10; question += 1) await at(theirs, 0).getLock(b).isLocked()
      }
      const branch = () => lock.withLock(() => resource.use(work))
      await Promise.all([branch(), branch(), branch()])
    })
    expect(resource.entries).toBe(3)
  })

  it.each(['withLock()', 'lock()'] as const)(
    'do not let a branch in by %s beside one that is inside a member',
    async (form) => {
      const [a, b] = [at(mine, 0).getLock(fresh()), at(mine, 0).getLock(fresh())]
      const resource = new LimitedResource()
      const lock = at(mine, 0).getMultiLock(a, b)
      const asThread = () =>
        at(mine, 0).runAsThread(async () => {
          await lock.lock()
          await resource.use(() => sleep(20))
          await lock.unlock()
        })
      const all = form === 'lock()' ? asThread : () => lock.withLock(() => resource.use(() => sleep(20)))
      const member = () => a.withLock(() => resource.use(() => sleep(20)))
      await lock.withLock(() => Promise.all([member(), all(), member(), all()]))
      expect(resource.entries).toBe(4)
    },
  )

  it('of a reader and another are had by a flow that writes, whichever is given first', async () => {
    const [a, b] = [fresh(), fresh()]
    const { readLock, writeLock } = sidesOf(at(mine, 0), a)
    const members = [readLock, at(mine, 0).getLock(b)]
    for (const given of [members, members.toReversed()]) {
      await writeLock.withLock(() =>
        at(mine, 0)
          .getMultiLock(...given)
          .withLock(() => undefined, { waitMs: 10_000 }),
      )
      await at(mine, 0).runAsThread(async () => {
        await writeLock.lock()
        await at(mine, 0)
          .getMultiLock(...given)
          .withLock(() => undefined, { waitMs: 10_000 })
        await writeLock.unlock()
      })
    }
    await eventually(async () => {
      expect((await Promise.all([a, b].map(heldAt))).flat()).not.toContain(true)
    })
  })

  it('of a writer and another are not waited for for ever by a flow that reads', async () => {
    const [a, b] = [fresh(), fresh()]
    await using client = await Redisson.create({ ...single.options(), lockWatchdogTimeout: WATCHDOG_MS })
    const { readLock, writeLock } = sidesOf(client, a)
    const members = [writeLock, client.getLock(b)]
    for (const given of [members, members.toReversed()]) {
      await client.runAsThread(async () => {
        await readLock.lock(600_000)
        await expect(client.getMultiLock(...given).lock()).rejects.toMatchObject({ code: 'NESTED_LOCK' })
        await readLock.unlock()
      })
    }
  })

  describe('of another copy of the package', () => {
    it('are refused in words', async () => {
      vi.resetModules()
      const copy = await import('../../../src/index.js')
      expect(copy.Redisson).not.toBe(Redisson)
      await using client = await copy.Redisson.create(single.options())
      expect(() => at(mine, 0).getMultiLock(at(mine, 0).getLock('a'), client.getLock('b'))).toThrow(
        expect.objectContaining({
          code: 'OTHER_COPY',
          message: expect.stringContaining('got a lock of another copy of ioredisson') as unknown,
        }),
      )
      expect(() => client.getRedLock(at(mine, 0).getLock('a'))).toThrow(copy.OtherCopyError)
      expect(() => Redisson.createRedLock([at(mine, 0), client], 'a')).toThrow(
        'got a client of another copy of ioredisson',
      )
    })
  })
})
