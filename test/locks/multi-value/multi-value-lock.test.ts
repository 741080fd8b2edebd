import { describe, expect, it } from 'vitest'
import { Redisson, type AnyLock, type RedissonClient, type RLock } from '../../../src/index.js'
import { noLeaksAfterAll, untilRenewed, WATCHDOG_MS } from '../../contracts/lock-fixture.js'
import { lockContract } from '../../contracts/lock.contract.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { cpuMsWhile } from '../../support/cpu-time.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { single, slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('a lock of values of a group ($kind)', (topology) => {
  lockContract({
    topology,
    getLock: (client, name) => client.getMultiLock(name, ['student:001', 'student:002']),
    ownersByField: false,
    parts: topology === single ? 'all' : 'servers in deep',
  })
})

describe('locks of one group', () => {
  noLeaksAfterAll(single)
  const clients = twoClients(single)
  const watched = twoClients(single, { lockWatchdogTimeout: WATCHDOG_MS })
  let groups = 0
  const newGroup = (): string => {
    groups += 1
    return `group-${String(groups)}`
  }

  it.concurrent('exclude each other if they have a value in common, and only then', async () => {
    const group = newGroup()
    const hold = await clients.mine.getMultiLock(group, ['a', 'b']).acquire()
    expect(await clients.other.getMultiLock(group, ['c', 'd']).tryLock()).toBe(true)
    expect(await clients.other.getMultiLock(group, ['b', 'e']).tryLock()).toBe(false)
    expect(await clients.mine.getMultiLock(group, ['e', 'c']).tryLock()).toBe(false)
    expect(await clients.mine.getMultiLock(group, ['e']).isLocked()).toBe(false)
    await hold.unlock()
    await clients.other.getMultiLock(group, ['d', 'c', 'c']).unlock() // the same values, the same lock
    expect(await single.nodes[0].command('EXISTS', group)).toBe(0)
  })

  it.concurrent.each([
    ['a', 'b', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
  ])('do not wait for each other in multi-locks of several sets of them: %s, %s, %s', async (x, y, z) => {
    const group = newGroup()
    const both = (client: RedissonClient, one: readonly string[], other: readonly string[]) =>
      client.getMultiLock(client.getMultiLock(group, one), client.getMultiLock(group, other))
    const visits = async (lock: AnyLock) => {
      for (let visit = 0; visit < 15; visit += 1)
        await lock.withLock((hold) => expect(hold.isHeld).toBe(true), { waitMs: 10_000 })
    }
    await Promise.all([visits(both(clients.mine, [x, z], [y])), visits(both(clients.other, [y], [z]))])
    expect(await single.nodes[0].command('EXISTS', group)).toBe(0)
  })

  it.concurrent('count their holds, also through a second object with the same values', async () => {
    const group = newGroup()
    await clients.mine.runAsThread(async () => {
      const [one, other] = [
        clients.mine.getMultiLock(group, ['a', 'b']),
        clients.mine.getMultiLock(group, ['b', 'a']),
      ]
      const counts: number[] = []
      for (const step of [() => one.lock(), () => other.lock(), () => one.unlock(), () => other.unlock()]) {
        await step()
        counts.push(await one.getHoldCount())
      }
      expect(counts).toEqual([1, 2, 1, 0])
    })
    expect(await single.nodes[0].command('EXISTS', group)).toBe(0)
  })

  it.concurrent('end by themselves where all that was left in the hash had ended', async () => {
    const group = newGroup()
    const long = await clients.mine.getMultiLock(group, ['long']).acquire({ leaseMs: 60_000 })
    const short = clients.other.getMultiLock(group, ['short'])
    const ended = await short.acquire({ leaseMs: 60_000 })
    await long.unlock()
    for (const field of (await single.nodes[0].command('HKEYS', group)) as readonly string[])
      if (field.endsWith(':expire_time')) await single.nodes[0].command('HSET', group, field, '1')
    const again = await short.acquire({ leaseMs: 60_000 })
    expect(await single.nodes[0].command('PTTL', group)).toBeGreaterThan(0)
    await again.unlock()
    await expect(ended.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
  })

  it.concurrent('of one thread that overlap are given back one by one', async () => {
    const group = newGroup()
    const [ab, bc] = [
      clients.mine.getMultiLock(group, ['a', 'b']),
      clients.mine.getMultiLock(group, ['b', 'c']),
    ]
    const free = (value: string) =>
      clients.other
        .getMultiLock(group, [value])
        .isLocked()
        .then((locked) => !locked)
    await clients.mine.runAsThread(async () => {
      await ab.lock()
      await bc.lock()
      await ab.unlock()
      expect([await free('a'), await free('b'), await free('c')]).toEqual([true, false, false])
      await bc.unlock()
      expect([await free('b'), await free('c')]).toEqual([true, true])
    })
  })

  it.concurrent('wake all waiters for any of their values', async () => {
    const group = newGroup()
    const hold = await clients.other.getMultiLock(group, ['a', 'b', 'c']).acquire({ leaseMs: 60_000 })
    const waiting = ['a', 'b', 'c'].map((value) => clients.mine.getMultiLock(group, [value]).acquire())
    await untilAwaited(single, group)
    await hold.unlock()
    for (const each of await Promise.all(waiting)) await each.unlock()
  })

  it.concurrent('are renewed while they are held, each value of them', { tags: ['timed'] }, async () => {
    const group = newGroup()
    const lock = watched.mine.getMultiLock(group, ['a', 'b'])
    const hold = await lock.acquire()
    await untilRenewed(lock)
    await untilRenewed(watched.other.getMultiLock(group, ['b']))
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
  })

  it.concurrent(
    'go to another owner when their lease has ended, and not sooner',
    { tags: ['timed'] },
    async () => {
      const group = newGroup()
      const brief = clients.mine.getMultiLock(group, ['a', 'b'])
      await brief.lock({ threadId: 1, leaseMs: 200 })
      const lock = clients.other.getMultiLock(group, ['b', 'c'])
      expect(await lock.tryLock({ threadId: 2 })).toBe(false)
      expect(await lock.tryLock({ threadId: 2, waitMs: 10_000, leaseMs: 60_000 })).toBe(true)
      await expect(brief.unlock({ threadId: 1 })).rejects.toMatchObject({ code: 'NOT_HELD' })
      expect(await lock.isHeldByThread(2)).toBe(true)
      await lock.unlock({ threadId: 2 })
    },
  )

  it.concurrent('leave nothing of those who died, once others have used the group', async () => {
    const group = newGroup()
    const [node] = single.nodes
    await clients.mine.getMultiLock(group, ['a', 'b']).lock({ threadId: 1, leaseMs: 60_000 })
    const fields = (await node.command('HKEYS', group)) as string[]
    for (const field of fields.filter((name) => name.endsWith(':expire_time')))
      await node.command('HSET', group, field, 1)
    await clients.other.getMultiLock(group, ['b', 'c']).withLock(async () => {
      expect(await clients.mine.getMultiLock(group, ['a']).isLocked()).toBe(false)
    })
    expect(await node.command('EXISTS', group)).toBe(0)
  })

  it.concurrent('are forced open as a whole', async () => {
    const group = newGroup()
    const lock = clients.mine.getMultiLock(group, ['a', 'b'])
    await lock.acquire({ leaseMs: 60_000 })
    expect(await clients.other.getMultiLock(group, ['a', 'b']).forceUnlock()).toBe(true)
    expect(await lock.forceUnlock()).toBe(false)
    expect(await single.nodes[0].command('EXISTS', group)).toBe(0)
  })

  it.concurrent.each([
    ['by this client', 'mine', undefined],
    ['by another one, as extend() finds out', 'other', 'LOCK_LOST'],
  ] as const)('leave nothing locked when one of them was forced open %s', async (_, who, found) => {
    const group = newGroup()
    const hold = await clients.mine.getMultiLock(group, ['a', 'b', 'c']).acquire({ leaseMs: 3_600_000 })
    expect(await clients[who].getMultiLock(group, ['b']).forceUnlock()).toBe(true)
    if (found !== undefined) await expect(hold.extend(1_000)).rejects.toMatchObject({ code: found })
    expect(hold.isHeld).toBe(false)
    const next = await clients.other.getMultiLock(group, ['b']).acquire()
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(await clients.other.getMultiLock(group, ['a', 'c']).tryLock()).toBe(true)
    expect(next.isHeld).toBe(true)
    expect(await clients.mine.getMultiLock(group, ['b']).isLocked()).toBe(true)
    await clients.other.getMultiLock(group, ['a', 'c']).unlock()
    await next.unlock()
    expect(await single.nodes[0].command('EXISTS', group)).toBe(0)
  })

  it.concurrent(
    'keep what other sets of the thread hold when what is left of a lost one is given back',
    async () => {
      const group = newGroup()
      await clients.mine.runAsThread(async () => {
        const [whole, part] = [['a', 'b', 'c'], ['c']].map((values) =>
          clients.mine.getMultiLock(group, values),
        )
        await whole?.lock({ leaseMs: 3_600_000 })
        await part?.lock()
        await clients.mine.getMultiLock(group, ['b']).forceUnlock()
        expect(await part?.isHeldByCurrentThread()).toBe(true)
        await expect(whole?.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
        expect(await clients.other.getMultiLock(group, ['a']).isLocked()).toBe(false)
        expect(await clients.other.getMultiLock(group, ['c']).isLocked()).toBe(true)
        await part?.unlock()
      })
      expect(await single.nodes[0].command('EXISTS', group)).toBe(0)
    },
  )

  it.concurrent('let one in at a time at every value', async () => {
    const group = newGroup()
    const sets = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['a', 'b', 'c'],
    ]
    const resources = new Map(['a', 'b', 'c'].map((value) => [value, new LimitedResource()]))
    const visit = async (values: readonly string[], client: RedissonClient) => {
      for (let round = 0; round < 25; round += 1)
        await client.getMultiLock(group, values).withLock(async () => {
          const visits = values.map((value) => resources.get(value)?.enter())
          await Promise.resolve()
          for (const each of visits) each?.[Symbol.dispose]()
        })
    }
    await Promise.all(sets.flatMap((values) => [visit(values, clients.mine), visit(values, clients.other)]))
    expect([...resources.values()].map(({ entries }) => entries)).toEqual([150, 150, 150])
  })

  it.concurrent('do not touch an ordinary lock of the group’s name (T-30)', async () => {
    const group = newGroup()
    const hold = await clients.mine.getLock(group).acquire({ leaseMs: 60_000 })
    const before = await single.nodes[0].command('HGETALL', group)
    await expect(clients.other.getMultiLock(group, ['a']).lock()).rejects.toMatchObject({
      code: 'WRONG_TYPE',
    })
    expect(await single.nodes[0].command('HGETALL', group)).toEqual(before)
    await hold.unlock()
  })

  it.concurrent.each<[string, (client: RedissonClient, name: string) => RLock]>([
    ['an ordinary lock', (client, name) => client.getLock(name)],
    ['a fair lock', (client, name) => client.getFairLock(name)],
    ['a fenced lock', (client, name) => client.getFencedLock(name)],
    ['a spin lock', (client, name) => client.getSpinLock(name)],
    ['a read lock', (client, name) => client.getReadWriteLock(name).readLock()],
    ['a write lock', (client, name) => client.getReadWriteLock(name).writeLock()],
  ])('are not touched by %s of the group’s name, nor forced open', async (_, lockOf) => {
    const group = newGroup()
    const hold = await clients.mine.getMultiLock(group, ['a']).acquire({ leaseMs: 60_000 })
    const before = await single.nodes[0].command('HGETALL', group)
    for (const client of [clients.mine, clients.other]) {
      const lock = lockOf(client, group)
      for (const call of [
        () => lock.forceUnlock(),
        () => lock.lock(),
        () => lock.tryLock(),
        () => lock.isLocked(),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: group })
    }
    expect(await single.nodes[0].command('HGETALL', group)).toEqual(before)
    expect(await clients.other.getMultiLock(group, ['a']).tryLock()).toBe(false)
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
  })

  it.concurrent.each([[[]], ['ab'], [[7]], [['a\ud800']], [null], [undefined]])(
    'are not made of %o',
    async (values) => {
      expect(() => clients.mine.getMultiLock('any', values as unknown as string[])).toThrow(TypeError)
      await Promise.resolve()
    },
  )
})

describe('a lock of values of a group whose messages get lost', () => {
  noLeaks(single)

  it.each<[string, (door: TcpProxy) => unknown]>([
    ['is cut off before it arrives', (door) => door.onRequest(/^evalsha/i, (passing) => passing.cut())],
    ['is answered, and the answer cut off', (door) => door.onReply(/^evalsha/i, (passing) => passing.cut())],
    [
      'is answered, and the answer vanishes',
      (door) => door.onReply(/^evalsha/i, (passing) => passing.freeze()),
    ],
  ])('counts once each request that %s', async (_, strike) => {
    await using door = await startProxy(single.nodes[0])
    const address = `redis://${door.host}:${String(door.port)}`
    await using client = await Redisson.create({
      singleServerConfig: { address, timeout: 200, retryAttempts: 10, retryDelay: 10, reconnectionDelay: 10 },
    })
    const lock = client.getMultiLock('lossy', ['a', 'b'])
    await client.runAsThread(async () => {
      await lock.lock()
      strike(door)
      await lock.lock()
      expect(await lock.getHoldCount()).toBe(2)
      strike(door)
      await lock.unlock()
      expect(await lock.getHoldCount()).toBe(1)
      strike(door)
      await lock.unlock()
    })
    expect(await lock.isLocked()).toBe(false)
  })
})

describe('a lock of many values', () => {
  noLeaksAfterAll(single)
  const clients = twoClients(single, { lockWatchdogTimeout: 60_000 })

  it(
    'keeps the process busy for a time that grows with their number, and not with its square',
    { tags: ['timed'] },
    async () => {
      const timeOf = (count: number): Promise<number> => {
        const values = Array.from({ length: count }, (_, index) => `value-${String(index)}`)
        const group = `many-${String(count)}`
        const lock = clients.mine.getMultiLock(group, values)
        const rest = clients.mine.getMultiLock(group, values.slice(1))
        return cpuMsWhile(() =>
          clients.mine.runAsThread(async () => {
            await lock.lock()
            await lock.lock()
            await rest.lock()
            await rest.unlock()
            await lock.unlock()
            await lock.unlock()
          }),
        )
      }
      const leastOf = async (count: number) => Math.min(await timeOf(count), await timeOf(count))
      await timeOf(250)
      const few = await leastOf(250)
      expect((await leastOf(2_000)) / few).toBeLessThan(24) // 8 if it is linear, 64 if it is quadratic
    },
  )
})
