import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RMultiLock } from '../../src/index.js'
import { eventually } from '../support/eventually.js'
import type { MastersTopology } from '../support/launch/topology.js'
import { LimitedResource } from '../support/limited-resource.js'
import { startProxy, type TcpProxy } from '../support/proxy.js'
import { startMasters } from '../support/servers.js'

const SERVERS = 5
const WATCHDOG_MS = 2_000

/** A server gets so long to answer: a share of the lease. */
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
    expect(await held()).toBe(SERVERS)
    expect(await lock().isHeldByThread(hold.threadId)).toBe(true)
    expect(await theirs().tryLock()).toBe(false)
    await hold.unlock()
    expect(await held()).toBe(0)
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
    await once(hold.signal, 'abort')
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', lock: name, owner: hold.owner })
    expect(events).toMatchObject([{ lock: name, owner: hold.owner }])
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
  })

  it('says by its signal that its time is over, although nobody answers', async () => {
    const hold = await lock().acquire({ leaseMs: 1_500 })
    for (const door of doors) door.stall()
    await once(hold.signal, 'abort')
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    expect(await held()).toBeGreaterThan(0) // it knows before the servers do
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
    expect(await held()).toBe(0)
  })

  it('refuses to be made of nothing', () => {
    expect(() => Redisson.createRedLock([], name)).toThrow(TypeError)
  })
})
