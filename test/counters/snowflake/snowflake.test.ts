import { describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RSnowflake, type SnowflakeOptions } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies, single } from '../../support/topologies.js'

const boundsOf = (name: string) => `{${name}}:bounds`

/** Far longer than any test. */
const AN_HOUR_MS = 3_600_000

const areRising = (ids: readonly bigint[]) => ids.every((id, at) => at === 0 || id > (ids[at - 1] as bigint))

describe.each(slottedTopologies)('a snowflake ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const ask = (key: string, command: string, ...args: string[]) => askOwner(topology, key, command, ...args)

  /** A snowflake whose keys are removed after the test. */
  const withIds = async (use: (ids: RSnowflake, name: string) => Promise<void>) => {
    const name = `flakes-${topology.kind}-${String(names++)}`
    const ids = clients.mine.getSnowflake(name)
    try {
      await use(ids, name)
    } finally {
      await ids[Symbol.asyncDispose]()
      await clients.other.getSnowflake(name)[Symbol.asyncDispose]()
      await ask(name, 'DEL')
      await ask(boundsOf(name), 'DEL')
    }
  }

  it('has ids that rise, of the time, the node number and a sequence', async () => {
    await withIds(async (ids) => {
      expect(ids.node).toBeUndefined()
      const before = Date.now() - 1000
      const all = await ids.nextIds(3)
      expect(areRising(all)).toBe(true)
      expect(ids.node).toBe(0)
      const { time, node } = ids.partsOf(all[0] as bigint)
      expect(node).toBe(0)
      expect(time.getTime()).toBeGreaterThan(before)
      expect(time.getTime()).toBeLessThan(Date.now() + 1000)
    })
  })

  it('gives each client a number of its own, and all objects of a client the same', async () => {
    await withIds(async (ids, name) => {
      const theirs = clients.other.getSnowflake(name)
      const again = clients.mine.getSnowflake(name)
      const all = await Promise.all([ids.nextIds(5_000), theirs.nextIds(5_000), again.nextIds(5_000)])
      expect([ids.node, again.node]).toEqual([ids.node, ids.node])
      expect(new Set([ids.node, theirs.node])).toEqual(new Set([0, 1]))
      expect(new Set(all.flat()).size).toBe(15_000)
      await theirs[Symbol.asyncDispose]()
    })
  })

  it('serves calls in their order, and each millisecond has as many ids as its bits say', async () => {
    const name = `flakes-${topology.kind}-few`
    const ids = clients.mine.getSnowflake(name, { sequenceBits: 2 })
    const all = await Promise.all(Array.from({ length: 40 }, () => ids.nextId()))
    expect(areRising(all)).toBe(true)
    const perMs = Map.groupBy(all, (id) => ids.partsOf(id).time.getTime())
    expect(Math.max(...[...perMs.values()].map(({ length }) => length))).toBeLessThanOrEqual(4)
    expect(Math.max(...all.map((id) => ids.partsOf(id).sequence))).toBeLessThan(4)
    await ids.delete()
  })

  it('keeps its number until all objects that have used it are disposed of', async () => {
    await withIds(async (ids, name) => {
      const other = clients.mine.getSnowflake(name)
      const unused = clients.mine.getSnowflake(name)
      await Promise.all([ids.nextId(), other.nextId()])
      await unused[Symbol.asyncDispose]()
      await ids[Symbol.asyncDispose]()
      expect(other.node).toBe(0)
      await other[Symbol.asyncDispose]()
      expect(other.node).toBeUndefined()
      expect(await ask(name, 'HEXISTS', 'node:0')).toBe(0)
    })
  })

  it('goes on after the last id of the client that had its number before', async () => {
    await withIds(async (ids, name) => {
      const last = (await ids.nextIds(10_000)).at(-1) as bigint
      await ids[Symbol.asyncDispose]()
      const theirs = clients.other.getSnowflake(name)
      const next = await theirs.nextId()
      expect(theirs.node).toBe(0)
      expect(theirs.partsOf(next).time.getTime()).toBeGreaterThan(theirs.partsOf(last).time.getTime())
      await theirs[Symbol.asyncDispose]()
    })
  })

  it('begins after the bound that the last holder of a number has left, wherever the clock stands', async () => {
    const name = `flakes-${topology.kind}-behind`
    const ids = clients.mine.getSnowflake(name, { nodeBits: 1 })
    await ids.nextId()
    await ids[Symbol.asyncDispose]()
    const bound = Date.now() + 300
    await ask(boundsOf(name), 'ZADD', String(bound), '0', String(bound), '1')
    const id = await ids.nextId()
    expect(ids.partsOf(id).time.getTime()).toBeGreaterThan(bound)
    await ids.delete()
  })

  it('rejects in time where the clock stands behind all numbers', async () => {
    const name = `flakes-${topology.kind}-far-behind`
    const ids = clients.mine.getSnowflake(name, { nodeBits: 1 })
    await ids.nextId()
    await ids[Symbol.asyncDispose]()
    const bound = String(Date.now() + AN_HOUR_MS)
    await ask(boundsOf(name), 'ZADD', bound, '0', bound, '1')
    await expect(ids.nextId({ waitMs: 0 })).rejects.toMatchObject({
      code: 'SNOWFLAKE_TIMEOUT',
      object: name,
      waitedFor: 'clock',
      waitMs: 0,
    })
    await ids.delete()
    await ask(boundsOf(name), 'DEL') // they would stay for an hour
  })

  it('takes a number that was never held before one whose last ids are later than now', async () => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      await ids[Symbol.asyncDispose]()
      await ask(boundsOf(name), 'ZADD', String(Date.now() + AN_HOUR_MS), '0')
      await ids.nextId({ waitMs: 0 })
      expect(ids.node).toBe(1)
    })
  })

  it.each<[what: string, end: (ids: RSnowflake) => PromiseLike<unknown>]>([
    ['a number is given back', (ids) => ids[Symbol.asyncDispose]()],
    ['the snowflake is deleted', (ids) => ids.delete()],
  ])('has no id before all leases are over where the bounds were evicted and %s', async (_, end) => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      await ask(boundsOf(name), 'DEL')
      await end(ids)
      const theirs = clients.other.getSnowflake(name)
      await expect(theirs.nextId({ waitMs: 0 })).rejects.toMatchObject({ waitedFor: 'clock' })
      await theirs[Symbol.asyncDispose]()
    })
  })

  it('refuses to wait by a signal that has aborted, also where there are ids', async () => {
    await withIds(async (ids) => {
      await ids.nextId()
      await expect(ids.nextId({ signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    })
  })

  it('says that there is no id before the epoch, however few bits ids have', async () => {
    const options = { nodeBits: 3, sequenceBits: 2, epochMs: Date.now() + AN_HOUR_MS }
    const ids = clients.mine.getSnowflake(`flakes-${topology.kind}-future`, options)
    await expect(ids.nextId()).rejects.toMatchObject({ code: 'SNOWFLAKE_TIME' })
    expect(() => ids.partsOf(2n ** 63n - 1n)).toThrow(RangeError)
  })

  it('rejects in time where all numbers are taken, and has one when one is given back', async () => {
    const name = `flakes-${topology.kind}-two`
    const of = (client: RedissonClient) => client.getSnowflake(name, { nodeBits: 1 })
    const [mine, theirs] = [of(clients.mine), of(clients.other)]
    await Promise.all([mine.nextId(), theirs.nextId()])
    await using third = await Redisson.create(topology.options({}))
    const ids = of(third)
    await expect(ids.nextId({ waitMs: 0 })).rejects.toMatchObject({
      code: 'SNOWFLAKE_TIMEOUT',
      waitedFor: 'number',
    })
    await expect(ids.nextId({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    const given = new AbortController()
    const aborted = ids.nextId({ signal: given.signal })
    const waiting = ids.nextId()
    given.abort(new Error('given up'))
    await expect(aborted).rejects.toThrow('given up')
    const { node } = theirs
    await theirs[Symbol.asyncDispose]()
    await waiting
    expect(ids.node).toBe(node)
    await third.shutdown()
    await mine.delete()
    await ask(boundsOf(name), 'DEL')
  })

  it('refuses another layout under its name', async () => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      const other = clients.mine.getSnowflake(name, { nodeBits: 8, epochMs: 5 })
      await expect(other.nextId()).rejects.toMatchObject({
        code: 'SNOWFLAKE_LAYOUT',
        object: name,
        wanted: { nodeBits: 8, sequenceBits: 12, epochMs: 5 },
        stored: { nodeBits: 10, sequenceBits: 12, epochMs: Date.UTC(2024) },
      })
      await ids.nextId()
    })
  })

  it('has no ids before its epoch, nor after its last millisecond', async () => {
    await withIds(async (_, name) => {
      for (const [epochMs, bits] of [
        [Date.now() + AN_HOUR_MS, 10],
        [0, 12],
      ] as const) {
        const ids = clients.mine.getSnowflake(name, { epochMs, nodeBits: bits })
        await expect(ids.nextId()).rejects.toMatchObject({
          code: 'SNOWFLAKE_TIME',
          object: name,
          first: new Date(epochMs),
        })
        expect(await ids.isExists()).toBe(false)
      }
    })
  })

  it('begins after all windows of a snowflake that was deleted under its users', async () => {
    await withIds(async (ids, name) => {
      const theirs = clients.other.getSnowflake(name)
      await theirs.nextId()
      const until = Number(await ask(boundsOf(name), 'ZSCORE', '0'))
      expect(await ids.delete()).toBe(true)
      expect(await ids.isExists()).toBe(false)
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(until + 1)
      await theirs.nextId() // it has not noticed, and its window is its own
      await expect(ids.nextId({ waitMs: 0 })).rejects.toMatchObject({ waitedFor: 'clock' })
      expect(Number(await ask(name, 'HGET', 'quiet'))).toBe(until)
    })
  })

  it('leaves nothing when it is deleted by its only user', async () => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      expect(await ids.delete()).toBe(true)
      expect(await ids.delete()).toBe(false)
      await expect.poll(() => ask(boundsOf(name), 'EXISTS')).toBe(0)
    })
  })

  it('keeps windows apart under both names after it was renamed under its users', async () => {
    await withIds(async (ids, name) => {
      const theirs = clients.other.getSnowflake(name)
      await theirs.nextId()
      const until = Number(await ask(boundsOf(name), 'ZSCORE', '0'))
      const target = `{${name}}:target`
      await ids.rename(target)
      expect(await ask(`{${name}}:target:bounds`, 'ZSCORE', '0')).toBe(String(until))
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(until + 1)
      await expect(ids.nextId({ waitMs: 0 })).rejects.toMatchObject({ waitedFor: 'clock' })
      const renamed = clients.mine.getSnowflake(target)
      await renamed.nextId()
      expect(renamed.node).toBe(1)
      await renamed.delete()
      await ask(`{${name}}:target:bounds`, 'DEL')
    })
  })

  it('lets no new window begin before those end that a restarted server may have lost', async () => {
    await withIds(async (ids, name) => {
      const theirs = clients.other.getSnowflake(name)
      await theirs.nextId()
      await ask(name, 'HSET', 'server', 'another') // as the server was called that had the last word
      await expect(ids.nextId({ waitMs: 0 })).rejects.toMatchObject({ waitedFor: 'clock' })
      const quiet = Number(await ask(name, 'HGET', 'quiet'))
      expect(quiet).toBeGreaterThanOrEqual(Number(await ask(boundsOf(name), 'ZSCORE', '0')))
      await theirs.nextId() // who has a window goes on
    })
  })

  it.each<[what: string, end: (ids: RSnowflake) => Promise<unknown>]>([
    ['deleted', (ids) => ids.delete()],
    ['renamed', (ids) => ids.rename(`{${ids.name}}:target`)],
    ['expired', (ids) => ids.expire(new Date(1))],
  ])('begins after all windows that a failover may have lost, once it was %s', async (_, end) => {
    await withIds(async (ids, name) => {
      const theirs = clients.other.getSnowflake(name)
      await theirs.nextId()
      const until = Number(await ask(boundsOf(name), 'ZSCORE', '0'))
      await ask(boundsOf(name), 'ZADD', '1', '0') // the new server knows nothing of its window
      await ask(name, 'HSET', 'server', 'another')
      expect(await end(ids)).not.toBe(false)
      expect(await ids.isExists()).toBe(false)
      await expect(ids.nextId({ waitMs: 0 })).rejects.toMatchObject({ waitedFor: 'clock' })
      expect(Number(await ask(name, 'HGET', 'quiet'))).toBeGreaterThanOrEqual(until)
      await ask(`{${name}}:target`, 'DEL')
      await ask(`{${name}}:target:bounds`, 'DEL')
    })
  })

  it('has its bounds expire with it, but not before the windows end of those who use it', async () => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      await ids[Symbol.asyncDispose]()
      await ids.expire(AN_HOUR_MS)
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(await ask(name, 'PEXPIRETIME'))
      await ids.nextId({ waitMs: 0 })
      const until = Number(await ask(boundsOf(name), 'ZSCORE', '0'))
      await ids.expire(2 * AN_HOUR_MS)
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(await ask(name, 'PEXPIRETIME'))
      await ids.clearExpire()
      expect(await ask(boundsOf(name), 'PTTL')).toBe(-1)
      await ids.expire(new Date(1))
      expect(await ids.isExists()).toBe(false)
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(until + 1)
    })
  })

  it('has bounds that were evicted expire with it again', async () => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      await ids.expire(AN_HOUR_MS)
      await ask(boundsOf(name), 'DEL')
      await ids[Symbol.asyncDispose]()
      expect(await ask(boundsOf(name), 'PTTL')).toBeGreaterThan(AN_HOUR_MS / 2)
    })
  })

  it.each<[what: string, end: (ids: RSnowflake) => PromiseLike<unknown>]>([
    ['it is deleted', (ids) => ids.delete()],
    ['its number is given back', (ids) => ids[Symbol.asyncDispose]().then(() => false)],
  ])('leaves no bounds for ever beside a hash that was evicted, once %s', async (_, end) => {
    await withIds(async (ids, name) => {
      await ids.nextId()
      const until = Number(await ask(boundsOf(name), 'ZSCORE', '0'))
      await ask(name, 'DEL')
      expect(await end(ids)).toBe(false)
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(until + 1)
    })
  })

  it('keeps no bounds of a snowflake that is gone by having it expire no more', async () => {
    await withIds(async (ids, name) => {
      await clients.other.getSnowflake(name).nextId()
      const until = Number(await ask(boundsOf(name), 'ZSCORE', '0'))
      await ids.delete()
      expect(await ids.clearExpire()).toBe(false)
      expect(await ask(boundsOf(name), 'PEXPIRETIME')).toBe(until + 1)
    })
  })

  it('is another object if its name belongs to one', async () => {
    await withIds(async (ids, name) => {
      await ask(name, 'HSET', 'a', 'b')
      await expect(ids.nextId()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await expect(ids.delete()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await ask(name, 'HGETALL')).toEqual(['a', 'b'])
    })
  })

  it('hands out nothing when its client is shut down, and gives its number back', async () => {
    await withIds(async (_, name) => {
      const client = await Redisson.create(topology.options({}))
      const ids = client.getSnowflake(name)
      const last = await ids.nextId()
      await client.shutdown({ drainMs: AN_HOUR_MS }) // which waits for no number
      await expect(ids.nextId()).rejects.toMatchObject({ code: 'CLOSED' })
      expect(ids.node).toBeUndefined()
      expect(await ask(name, 'HLEN')).toBe(4)
      const used = ids.partsOf(last).time.getTime()
      expect(await ask(boundsOf(name), 'ZSCORE', '0')).toBe(String(used))
    })
  })
})

describe('the ids of a snowflake', () => {
  noLeaks(single)
  const clients = twoClients(single)

  it('cost no request but the first', async () => {
    const ids = clients.mine.getSnowflake('flakes-free')
    await ids.nextId()
    await using monitor = await Monitor.of(single.nodes)
    await ids.nextIds(10_000)
    await ids.nextId()
    expect(await monitor.deedsOn('flakes-free')).toEqual([])
    await ids.delete()
  })

  it.each([
    [{ nodeBits: 0 }, RangeError],
    [{ nodeBits: 17 }, RangeError],
    [{ sequenceBits: 1.5 }, RangeError],
    [{ nodeBits: 13, sequenceBits: 12 }, RangeError],
    [{ epochMs: -1 }, RangeError],
    [{ epochMs: 8.64e15 }, RangeError],
    [{ epoch: 5 }, TypeError],
  ])('are not made of %o', (options, error) => {
    expect(() => clients.mine.getSnowflake('flakes-bad', options as SnowflakeOptions)).toThrow(error)
  })

  it.each([0, -1, 1.5, 1_000_001, NaN])('are not asked for %s at a time', async (count) => {
    await expect(clients.mine.getSnowflake('flakes-bad').nextIds(count)).rejects.toThrow(RangeError)
  })

  it('say what they were made of', () => {
    const ids = clients.mine.getSnowflake('flakes-parts', { epochMs: 1_000, nodeBits: 4, sequenceBits: 3 })
    expect(ids.partsOf((7n << 7n) | (5n << 3n) | 6n)).toEqual({ time: new Date(1_007), node: 5, sequence: 6 })
    expect(ids.partsOf(0n)).toEqual({ time: new Date(1_000), node: 0, sequence: 0 })
    expect(() => ids.partsOf(-1n)).toThrow(RangeError)
    expect(() => ids.partsOf(2n ** 63n)).toThrow(RangeError)
    expect(() => ids.partsOf(5 as never)).toThrow(TypeError)
  })
})

describe('a snowflake whose users may run INFO, and may not', () => {
  noLeaks(single)

  it('has ids for one who may not, and who is the first', async () => {
    const [server] = single.nodes
    await server.command('ACL', 'SETUSER', 'blind', 'reset', 'on', '>secret', '~*', '&*', '+@all', '-info')
    const blind = await Redisson.create(single.options({ username: 'blind', password: 'secret' }))
    const name = 'flakes-made-by-the-blind'
    try {
      const ids = [await blind.getSnowflake(name).nextId(), await blind.getSnowflake(name).nextId()]
      expect(new Set(ids).size).toBe(ids.length)
      expect(await server.command('HEXISTS', name, 'server')).toBe(0)
    } finally {
      await blind.shutdown()
      await server.command('DEL', name, boundsOf(name))
      await server.command('ACL', 'DELUSER', 'blind')
    }
  })

  it('has ids at once for all of them, and no id twice', async () => {
    const [server] = single.nodes
    await server.command('ACL', 'SETUSER', 'blind', 'reset', 'on', '>secret', '~*', '&*', '+@all', '-info')
    const seeing = await Redisson.create(single.options())
    const blind = await Redisson.create(single.options({ username: 'blind', password: 'secret' }))
    const name = 'flakes-of-the-blind'
    try {
      const known = async () => await server.command('HMGET', name, 'server', 'quiet')
      const ids = [await seeing.getSnowflake(name).nextId()]
      const before = await known()
      for (const client of [blind, seeing, blind, seeing]) {
        ids.push(await client.getSnowflake(name).nextId())
        await client.getSnowflake(name)[Symbol.asyncDispose]() // so that it takes a number anew
        expect(await known()).toEqual(before)
      }
      expect(before).toEqual([expect.stringMatching(/^[\da-f]{40}$/), '0'])
      expect(new Set(ids).size).toBe(ids.length)
    } finally {
      await Promise.all([seeing.shutdown(), blind.shutdown()])
      await server.command('DEL', name, boundsOf(name))
      await server.command('ACL', 'DELUSER', 'blind')
    }
  })
})
