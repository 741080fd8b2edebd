import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock, type RMultiLock } from '../../../src/index.js'
import { relet } from '../../../src/locks/reentrant/lock.scripts.js'
import { eventually } from '../../support/eventually.js'
import type { MastersTopology } from '../../support/launch/topology.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { startMasters } from '../../support/servers.js'
import { untilAborted } from '../../support/until-aborted.js'

const SERVERS = 5
const WATCHDOG_MS = 2_000

/** The time of a server to reply: a share of the lease. */
const LIMIT_MS = WATCHDOG_MS * 0.05

/** What a few rounds may take when too few servers answer, with room for a machine that is busy. */
const BOUND_MS = 5_000

interface Fault {
  readonly name: string
  readonly begin: (index: number) => Promise<void>
  readonly end: (index: number) => Promise<void>
}

describe('a red lock over five independent servers', () => {
  let masters: MastersTopology
  let doors: readonly TcpProxy[]
  let clients: readonly RedissonClient[]
  let rivals: readonly RedissonClient[]
  let name = ''
  let names = 0

  const connect = () =>
    Promise.all(
      doors.map(({ host, port }) =>
        Redisson.create({
          singleServerConfig: {
            address: `redis://${host}:${String(port)}`,
            timeout: 500,
            retryAttempts: 1,
            retryDelay: 50,
            reconnectionDelay: 20,
          },
          lockWatchdogTimeout: WATCHDOG_MS,
        }),
      ),
    )

  beforeAll(async () => {
    masters = await startMasters(SERVERS)
    doors = await Promise.all(masters.nodes.map((node) => startProxy(node)))
    ;[clients, rivals] = await Promise.all([connect(), connect()])
  })

  beforeEach(() => {
    names += 1
    name = `red-${String(names)}`
  })

  afterEach(async () => {
    await Promise.all(masters.nodes.map((node) => node.resume()))
    await Promise.all(doors.map((door) => door.heal()))
    await eventually(nothingLeft, { what: 'no keys' })
  })

  afterAll(async () => {
    await Promise.all([...clients, ...rivals].map((client) => client.shutdown()))
    await Promise.all(doors.map((door) => door.close()))
    await masters.stop()
  })

  const lock = (): RMultiLock => Redisson.createRedLock(clients, name)
  const theirs = (): RMultiLock => Redisson.createRedLock(rivals, name)
  const at = <T>(list: readonly T[], index: number): T => list[index] as T

  const keysAt = async (index: number): Promise<string[]> =>
    (await at(masters.nodes, index).command('KEYS', `${name}*`)) as string[]
  const held = async (): Promise<number> =>
    (await Promise.all(masters.nodes.map((_, index) => keysAt(index)))).filter(({ length }) => length > 0)
      .length
  const nothingLeft = async (): Promise<boolean> => (await held()) === 0
  const untilGone = () => eventually(nothingLeft, { what: 'no keys' })
  const untilHeldByAll = () =>
    eventually(async () => (await held()) === SERVERS, { what: 'the lock at all servers' })

  const faults: readonly Fault[] = [
    {
      name: 'down',
      begin: (index) => {
        at(doors, index).refuse()
        at(doors, index).cut()
        return Promise.resolve()
      },
      end: (index) => at(doors, index).heal(),
    },
    {
      name: 'stalled',
      begin: (index) => {
        at(doors, index).stall()
        return Promise.resolve()
      },
      end: (index) => at(doors, index).heal(),
    },
    {
      name: 'slow',
      begin: (index) => {
        at(doors, index).delay(LIMIT_MS * 3, 'replies')
        return Promise.resolve()
      },
      end: (index) => at(doors, index).heal(),
    },
    {
      name: 'hung',
      begin: (index) => at(masters.nodes, index).pause(),
      end: (index) => at(masters.nodes, index).resume(),
    },
  ]

  it('is held at all servers, and given back at all', async () => {
    const hold = await lock().acquire()
    await untilHeldByAll()
    expect(await lock().isHeldByThread(hold.threadId)).toBe(true)
    expect(await theirs().tryLock()).toBe(false)
    await hold.unlock()
    await untilGone()
  })

  describe('with a member that answers late', () => {
    const LATE_MS = LIMIT_MS * 0.7

    beforeEach(async () => {
      await Redisson.createRedLock(clients, `before ${name}`).withLock(() => undefined) // so that all servers know the scripts
      at(doors, 4).delay(LATE_MS, 'replies')
    })

    it('does not wait for it, and has it join the others, who are renewed together', async () => {
      const startedAt = performance.now()
      const hold = await lock().acquire()
      expect(performance.now() - startedAt).toBeLessThan(LATE_MS)
      await sleep(1.5 * WATCHDOG_MS)
      expect(hold.isHeld).toBe(true)
      expect(await held()).toBe(SERVERS)
      await hold.unlock()
      await untilGone()
    })

    it('has it join the others even when it has taken longer than it may', async () => {
      at(doors, 4).delay(2 * LIMIT_MS, 'replies')
      const hold = await lock().acquire()
      await sleep(4 * LIMIT_MS)
      expect(await keysAt(4)).toEqual([name])
      await hold.extend(10 * WATCHDOG_MS)
      await eventually(
        async () => Number(await at(masters.nodes, 4).command('PTTL', name)) > 5 * WATCHDOG_MS,
        {
          what: 'the lease at the late server',
        },
      )
      await hold.unlock()
      await untilGone()
    })

    it('leaves nothing there when it is given back before the answer', async () => {
      const startedAt = performance.now()
      const hold = await lock().acquire()
      await hold.unlock()
      expect(performance.now() - startedAt).toBeLessThan(LATE_MS)
      await untilGone()
    })

    it('takes nothing from the same thread that comes back before the answer', async () => {
      await at(clients, 0).runAsThread(async () => {
        for (let round = 0; round < 5; round += 1) {
          await lock().lock()
          await lock().unlock()
        }
        await lock().lock()
        await sleep(5 * LATE_MS)
        expect(await held()).toBeGreaterThanOrEqual(SERVERS - 1)
        expect(await theirs().tryLock()).toBe(false)
        await lock().unlock()
      })
      await untilGone()
    })

    it('has the same thread take it once what it gave back there is answered', async () => {
      at(doors, 4).delay(LIMIT_MS * 0.25, 'replies')
      await at(clients, 0).runAsThread(async () => {
        await lock().lock()
        await lock().unlock()
        await lock().lock()
        await sleep(3 * LIMIT_MS)
        expect(await keysAt(4)).toEqual([name])
        await lock().unlock()
      })
      await untilGone()
    })

    it('counts each time that the same thread comes in', async () => {
      await at(clients, 0).runAsThread(async () => {
        await lock().lock()
        await lock().lock()
        await untilHeldByAll()
        await lock().unlock()
        await sleep(2 * LATE_MS)
        expect(await held()).toBe(SERVERS)
        expect(await theirs().tryLock()).toBe(false)
        await lock().unlock()
      })
      await untilGone()
    })

    it('gives it the lease that the others were given meanwhile', async () => {
      const hold = await lock().acquire({ leaseMs: WATCHDOG_MS })
      await hold.extend(10 * WATCHDOG_MS)
      await untilHeldByAll()
      const left = Number(await at(masters.nodes, 4).command('PTTL', name))
      expect(left).toBeGreaterThan(5 * WATCHDOG_MS)
      await hold.unlock()
      await untilGone()
    })

    it('leaves nothing there when the client is shut down before the answer', async () => {
      const own = await connect()
      const hold = await Redisson.createRedLock(own, name).acquire()
      await hold.unlock()
      await Promise.all(own.map((client) => client.shutdown()))
      await untilGone()
    })
  })

  it('is inside one at a time while members are slow and cut off at random', async () => {
    const resource = new LimitedResource()
    let over = false
    const disturb = async () => {
      while (!over) {
        const door = at(doors, Math.floor(Math.random() * SERVERS))
        if (Math.random() < 0.2) door.cut()
        else door.delay(Math.random() * LIMIT_MS * 1.5, 'replies')
        await sleep(30)
        await door.heal()
      }
    }
    const flow = async (get: () => RMultiLock) => {
      for (let round = 0; round < 25; round += 1) {
        const visit = get().withLock((hold) => resource.use(() => (hold.isHeld ? sleep(1) : undefined)))
        await visit.catch(() => undefined) // a majority may be out of reach for a moment
      }
    }
    const disturbing = disturb()
    try {
      await Promise.all([flow(lock), flow(lock), flow(theirs), flow(theirs)])
    } finally {
      over = true
      await disturbing
    }
    expect(resource.highest).toBe(1)
    expect(resource.entries).toBeGreaterThan(20)
  })

  it('is forced open where a majority can be reached', async () => {
    await lock().lock()
    await untilHeldByAll()
    at(doors, 1).refuse()
    at(doors, 1).cut()
    const forceful = lock() as RMultiLock & Pick<RLock, 'forceUnlock'>
    expect(await forceful.forceUnlock()).toBe(true)
    await at(doors, 1).heal()
    await at(masters.nodes, 1).command('DEL', name)
    expect(await theirs().tryLock()).toBe(true)
    await theirs().unlock()
    await lock()
      .unlock()
      .catch(() => undefined)
  })

  describe.each(faults)('when servers are $name', ({ begin, end }) => {
    it.each([
      ['the first two', [0, 1]],
      ['two others', [2, 4]],
    ])('%s: it works still', async (_, broken) => {
      await Promise.all(broken.map(begin))
      const startedAt = performance.now()
      await lock().withLock(async (hold) => {
        expect(hold.isHeld).toBe(true)
        expect(await theirs().tryLock()).toBe(false)
        expect(await lock().isHeldByThread(hold.threadId)).toBe(true)
      })
      expect(performance.now() - startedAt).toBeLessThan(BOUND_MS)
      await theirs().withLock(({ isHeld }) => {
        expect(isHeld).toBe(true)
      })
      await Promise.all(broken.map(end))
    })

    it('three of them: it fails in time, and leaves nothing', async () => {
      const broken = [0, 2, 3]
      await Promise.all(broken.map(begin))
      const startedAt = performance.now()
      await expect(lock().lock()).rejects.toMatchObject({ code: 'NO_QUORUM', quorum: 3 })
      await expect(lock().tryLock()).rejects.toMatchObject({ code: 'NO_QUORUM' })
      expect(performance.now() - startedAt).toBeLessThan(BOUND_MS)
      expect([await keysAt(1), await keysAt(4)]).toEqual([[], []])
      await Promise.all(broken.map(end))
      await eventually(nothingLeft, { what: 'no keys' })
      await lock().withLock(() => undefined)
    })
  })

  it('lets one in at a time, while servers come and go', async () => {
    const resource = new LimitedResource()
    const visit = async (red: RMultiLock) => {
      for (let round = 0; round < 5; round += 1)
        await red.withLock(() => resource.use(() => Promise.resolve()))
    }
    const visits = Promise.all([visit(lock()), visit(theirs()), visit(lock())])
    for (const index of [0, 3]) {
      at(doors, index).cut()
      await eventually(() => resource.entries > index)
    }
    await visits
    expect(resource.entries).toBe(15)
  })

  it('gives back what a server has granted whose answer was lost', async () => {
    await lock().withLock(() => undefined) // so that every server knows the scripts
    for (const index of [0, 1, 2]) at(doors, index).onReply(/^evalsha/i, (passing) => passing.freeze())
    await lock()
      .lock({ leaseMs: 60_000 })
      .then(
        () => lock().unlock(),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'NO_QUORUM' })
        },
      )
    await eventually(nothingLeft, { what: 'no keys' })
  })

  it('is renewed at a majority for as long as it is held', async () => {
    const hold = await lock().acquire()
    await Promise.all([0, 1].map((index) => at(masters.nodes, index).pause()))
    const sinceAt = performance.now()
    await eventually(
      () => {
        expect(hold.isHeld).toBe(true)
        return performance.now() - sinceAt > WATCHDOG_MS * 1.2
      },
      { withinMs: BOUND_MS },
    )
    expect(await theirs().tryLock()).toBe(false)
    await Promise.all([0, 1].map((index) => at(masters.nodes, index).resume()))
    await hold.unlock()
  })

  it('says by its signal that the majority is lost', async () => {
    const hold = await lock().acquire()
    const events: unknown[] = []
    at(clients, 0).on('lockLost', (event) => events.push(event))
    for (const index of [1, 2, 3]) await at(masters.nodes, index).command('DEL', name)
    await untilAborted(hold.signal)
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', lock: name, owner: hold.owner })
    expect(events).toMatchObject([{ lock: name, owner: hold.owner }])
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
  })

  it('aborts its signal when its time is over, without any reply', async () => {
    const hold = await lock().acquire({ leaseMs: 1_500 })
    for (const door of doors) door.stall()
    await untilAborted(hold.signal)
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    expect(await held()).toBeGreaterThan(0) // it knows before the servers do
  })

  it('is extended at a majority, though two are hung', async () => {
    const hold = await lock().acquire({ leaseMs: 2_000 })
    const brief = await Redisson.createRedLock(clients, `${name}-brief`).acquire({ leaseMs: 2_000 })
    await Promise.all([0, 4].map((index) => at(masters.nodes, index).pause()))
    await hold.extend(60_000)
    await untilAborted(brief.signal)
    expect(hold.isHeld).toBe(true)
    expect(await theirs().tryLock()).toBe(false)
    await Promise.all([0, 4].map((index) => at(masters.nodes, index).resume()))
    await hold.unlock()
  })

  it('is not extended where three are hung, and lasts as long as it would have', async () => {
    const hold = await lock().acquire({ leaseMs: 20_000 })
    await Promise.all([0, 2, 4].map((index) => at(masters.nodes, index).pause()))
    await expect(hold.extend()).rejects.toMatchObject({ code: 'NO_QUORUM', quorum: 3 })
    expect(hold.isHeld).toBe(true)
    await Promise.all([0, 2, 4].map((index) => at(masters.nodes, index).resume()))
    await hold.unlock()
  })

  it('finds out by an extension that the majority is lost', async () => {
    const hold = await lock().acquire({ leaseMs: 20_000 })
    await untilHeldByAll() // otherwise the two may be of the majority, and the others not be there yet
    await Promise.all([1, 2].map((index) => at(masters.nodes, index).command('DEL', name)))
    await hold.extend(20_000) // three are left
    await at(masters.nodes, 3).command('DEL', name)
    await expect(hold.extend(20_000)).rejects.toMatchObject({ code: 'LOCK_LOST', lock: name })
    expect(hold.isHeld).toBe(false)
    await hold[Symbol.asyncDispose]()
  })

  it('is not had where most of its lease was used up by asking', async () => {
    for (const door of doors) door.delay(120, 'replies')
    await expect(lock().tryLock(0, 100)).rejects.toMatchObject({ code: 'NO_QUORUM' })
  })

  it('ends the waiting when its signal aborts, and leaves nothing', async () => {
    const hold = await theirs().acquire()
    const reason = new Error('no longer wanted')
    const abort = new AbortController()
    const waiting = lock().lock({ signal: abort.signal })
    setImmediate(() => {
      abort.abort(reason)
    })
    await expect(waiting).rejects.toBe(reason)
    await hold.unlock()
    await untilGone()
  })

  it('of several names is had at a majority, though two servers are hung', async () => {
    const names = [name, `${name}-too`]
    await Promise.all([1, 3].map((index) => at(masters.nodes, index).pause()))
    await Redisson.createRedLock(clients, names).withLock(
      async (hold) => {
        expect(hold.isHeld).toBe(true)
        expect(await Redisson.createRedLock(rivals, names.slice(1)).tryLock()).toBe(false)
      },
      { leaseMs: 20_000 },
    )
    await Redisson.createRedLock(rivals, names).withLock(() => undefined)
    await Promise.all([1, 3].map((index) => at(masters.nodes, index).resume()))
  })

  it('in a multi-lock gets its lease by a majority', async () => {
    const trap = at(doors, 4).onRequest(relet.sha, (passing) => passing.freeze(), { times: 10 })
    const multi = at(clients, 0).getMultiLock(lock(), at(clients, 0).getLock(`${name}-single`))
    const hold = await multi.acquire({ leaseMs: 20_000 })
    await trap.happened
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
  })

  it('refuses to be made of nothing', () => {
    expect(() => Redisson.createRedLock([], name)).toThrow(TypeError)
  })
})
