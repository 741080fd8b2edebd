import { describe, expect, it } from 'vitest'
import { Redisson, type RIdGenerator } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies, single } from '../../support/topologies.js'

const LARGEST = 2n ** 63n - 1n
const UNSAFE = 2n ** 53n

/** The key of the size of a generator's blocks. */
const allocationOf = (name: string) => (name.includes('{') ? `${name}:allocation` : `{${name}}:allocation`)

const idsOf = <N extends number | bigint>(generator: RIdGenerator<N>, count: number) =>
  Promise.all(Array.from({ length: count }, () => generator.nextId()))

const upwards = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

describe.each(slottedTopologies)('a generator of ids ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A generator that is removed after the test, as `number` and as `bigint`. */
  const withIds = async (
    use: (ids: RIdGenerator, whole: RIdGenerator<bigint>, name: string) => Promise<void>,
    name = `ids-${topology.kind}-${String(names++)}`,
  ) => {
    try {
      await use(clients.mine.getIdGenerator(name), clients.mine.getIdGenerator(name, { bigint: true }), name)
    } finally {
      await askOwner(topology, name, 'DEL')
      await askOwner(topology, allocationOf(name), 'DEL')
    }
  }

  const nextIn = (name: string) => askOwner(topology, name, 'GET')
  const sizeIn = (name: string) => askOwner(topology, allocationOf(name), 'GET')

  it('begins with 1, and takes 5 000 at a time', async () => {
    await withIds(async (ids, whole, name) => {
      expect(await ids.isExists()).toBe(false)
      expect(await ids.nextId()).toBe(1)
      expect(await whole.nextId()).toBe(2n)
      expect([await nextIn(name), await sizeIn(name)]).toEqual(['5001', '5000'])
      expect(await clients.other.getIdGenerator(name).nextId()).toBe(5001)
      expect(await ids.nextId()).toBe(3)
    })
  })

  it('begins as it was set up, once', async () => {
    await withIds(async (ids, whole, name) => {
      expect(await ids.tryInit(12, 2931)).toBe(true)
      expect(await ids.tryInit(5, 7)).toBe(false)
      expect(await whole.tryInit(5n, 7n)).toBe(false)
      expect(await ids.nextId()).toBe(12)
      expect([await nextIn(name), await sizeIn(name)]).toEqual(['2943', '2931'])
    })
  })

  it('hands out the ids of one client in a row, whichever object is asked', async () => {
    await withIds(async (_, __, name) => {
      const all: number[] = []
      for (let count = 0; count < 12_000; count += 1)
        all.push(await clients.mine.getIdGenerator(name).nextId())
      expect(all).toEqual(upwards(1, 12_000))
      expect(await nextIn(name)).toBe('15001')
    })
  })

  it('hands out no id twice to clients that ask at the same time', async () => {
    await withIds(async (ids, _, name) => {
      await ids.tryInit(-50, 7)
      const theirs = clients.other.getIdGenerator(name)
      const all = [await Promise.all([idsOf(ids, 300), idsOf(theirs, 300)])].flat(2)
      expect(new Set(all).size).toBe(600)
      expect(Math.min(...all)).toBe(-50)
      expect(Math.max(...all)).toBeLessThan(Number(await nextIn(name)))
    })
  })

  it.each([
    [1, 1_001],
    [300, 1_201],
    [999, 1_999],
    [5_000, 5_001],
  ])('serves all that wait by one request, in the order of their calls: blocks of %d', async (size, next) => {
    await withIds(async (ids, _, name) => {
      await ids.tryInit(1, size)
      await using monitor = await Monitor.of(topology.nodes)
      expect(await idsOf(ids, 1_000)).toEqual(upwards(1, 1_000))
      expect(await nextIn(name)).toBe(String(next))
      const taken = (await monitor.deedsOn(name)).filter(
        ({ words, by }) => words[0] === 'incrby' && by === 'script',
      )
      expect(taken.map(({ words }) => words[2])).toEqual(
        size < 1_000 ? [String(size), String(next - 1 - size)] : [String(size)],
      )
    })
  })

  it('takes the next block before it needs one', async () => {
    await withIds(async (ids, _, name) => {
      await ids.tryInit(1, 8)
      for (let count = 0; count < 5; count += 1) await ids.nextId()
      expect(await nextIn(name)).toBe('9')
      expect(await ids.nextId()).toBe(6)
      await eventually(async () => (await nextIn(name)) === '17', { what: 'the next block is taken' })
      for (let count = 7; count <= 13; count += 1) expect(await ids.nextId()).toBe(count)
      expect(await nextIn(name)).toBe('17')
    })
  })

  it.each(['a{tag}b', '{whole}', 'ключ', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await withIds(async (ids) => {
        expect(await ids.tryInit(5, 2)).toBe(true)
        expect(await idsOf(ids, 3)).toEqual([5, 6, 7])
        expect([await nextIn(name), await sizeIn(name)]).toEqual(['9', '2'])
      }, name)
    },
  )

  it('has no digit lost over the whole of 64 bits', async () => {
    await withIds(async (_, whole, name) => {
      await whole.tryInit(LARGEST - 10n, 3n)
      expect(await idsOf(whole, 5)).toEqual([10n, 9n, 8n, 7n, 6n].map((less) => LARGEST - less))
      expect(await nextIn(name)).toBe(String(LARGEST - 4n))
      await whole.delete()
      await whole.tryInit(-(2n ** 63n), 2n ** 62n + 1n)
      expect(await idsOf(whole, 2)).toEqual([-(2n ** 63n), 1n - 2n ** 63n])
      expect(await nextIn(name)).toBe(String(1n - 2n ** 62n))
    })
  })

  it('ends where the next block would be beyond 64 bits, and hands out no id twice', async () => {
    await withIds(async (ids, whole, name) => {
      await whole.tryInit(LARGEST - 5n, 3n)
      expect(await idsOf(whole, 3)).toEqual([5n, 4n, 3n].map((less) => LARGEST - less))
      const overflow = { code: 'COUNTER_OVERFLOW', object: name, mayHaveRun: false }
      for (let times = 0; times < 3; times += 1) await expect(whole.nextId()).rejects.toMatchObject(overflow)
      const calls = await Promise.allSettled([ids.nextId(), whole.nextId(), whole.nextId()])
      const errors = calls.map((call) => call.status === 'rejected' && (call.reason as unknown))
      expect(errors).toMatchObject([overflow, overflow, overflow])
      expect(new Set(errors).size).toBe(3)
      expect(await nextIn(name)).toBe(String(LARGEST - 2n))
    })
  })

  it('is not there if its first block would be beyond 64 bits', async () => {
    await withIds(async (_, whole, name) => {
      await askOwner(topology, allocationOf(name), 'SET', String(LARGEST))
      await expect(whole.nextId()).rejects.toMatchObject({ code: 'COUNTER_OVERFLOW' })
      expect(await whole.isExists()).toBe(false)
    })
  })

  it('tells the digits of what is too large for a number', async () => {
    await withIds(async (ids, whole) => {
      await whole.tryInit(UNSAFE - 1n, 10n)
      expect(await ids.nextId()).toBe(Number.MAX_SAFE_INTEGER)
      const unsafe = { code: 'UNSAFE_INTEGER', digits: String(UNSAFE), mayHaveRun: true }
      await expect(ids.nextId()).rejects.toMatchObject(unsafe)
      expect(await whole.nextId()).toBe(UNSAFE + 1n)
    })
  })

  it('begins anew once this client has deleted it', async () => {
    await withIds(async (ids, _, name) => {
      for (const remove of [
        () => ids.delete(),
        () => ids.unlink(),
        () => clients.mine.batch((batch) => [batch.getIdGenerator(name).delete()]),
      ]) {
        expect(await idsOf(ids, 3)).toEqual([1, 2, 3])
        await remove()
        expect(await sizeIn(name)).toBeNull()
      }
      expect(await ids.nextId()).toBe(1)
    })
  })

  it.each(['rename', 'renamenx', 'copy'] as const)(
    'begins as the one that gets its name by %s()',
    async (method) => {
      const names = [`{${method}-${topology.kind}}1`, `{${method}-${topology.kind}}2`] as const
      const [ids, renamed] = [clients.mine.getIdGenerator(names[0]), clients.mine.getIdGenerator(names[1])]
      await ids.tryInit(40, 3)
      await renamed.nextId()
      await clients.other.getIdGenerator(names[1]).delete()
      await ids[method](names[1])
      expect(await idsOf(renamed, 4)).toEqual([40, 41, 42, 43])
      await ids.delete()
      await renamed.delete()
    },
  )

  it('goes on with its block if another has deleted it, and then begins anew', async () => {
    await withIds(async (ids, _, name) => {
      await ids.tryInit(100, 3)
      expect(await ids.nextId()).toBe(100)
      expect(await clients.other.getIdGenerator(name).delete()).toBe(true)
      expect(await idsOf(ids, 3)).toEqual([101, 102, 1])
    })
  })

  it('is not brought back by a block that is taken ahead', async () => {
    await withIds(async (ids, _, name) => {
      await ids.tryInit(1, 4)
      await ids.nextId()
      await clients.other.getIdGenerator(name).delete()
      expect(await idsOf(ids, 3)).toEqual([2, 3, 4])
      expect(await ids.isExists()).toBe(false)
      expect(await sizeIn(name)).toBeNull()
      expect(await ids.nextId()).toBe(1)
    })
  })

  it('begins as it is set up anew after another has deleted it', async () => {
    await withIds(async (ids, _, name) => {
      await ids.nextId()
      await clients.other.getIdGenerator(name).delete()
      expect(await ids.tryInit(70, 3)).toBe(true)
      expect(await ids.nextId()).toBe(70)
      expect(await ids.tryInit(70, 3)).toBe(false)
      expect(await ids.nextId()).toBe(71)
    })
  })

  it('keeps its time to live, and both keys end together', async () => {
    await withIds(async (ids, _, name) => {
      await ids.nextId()
      expect(await ids.expire(60_000)).toBe(true)
      await idsOf(ids, 6_000)
      for (const key of [name, allocationOf(name)])
        expect(Number(await askOwner(topology, key, 'PTTL'))).toBeGreaterThan(50_000)
      expect(await ids.clearExpire()).toBe(true)
      expect(await askOwner(topology, allocationOf(name), 'PTTL')).toBe(-1)
    })
  })

  it.each([
    ['RPUSH', 'element'],
    ['SET', 'text'],
    ['SET', '1.5'],
    ['SET', '007'],
    ['SET', '9223372036854775808'],
  ])('refuses a name at which there is something else: %s %s', async (command, value) => {
    await withIds(async (ids, _, name) => {
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      await askOwner(topology, name, command, value)
      for (let times = 0; times < 2; times += 1) await expect(ids.nextId()).rejects.toMatchObject(wrong)
      expect(await askOwner(topology, allocationOf(name), 'EXISTS')).toBe(0)
      await askOwner(topology, name, 'DEL')
      expect(await ids.nextId()).toBe(1)
    })
  })

  it.each([
    ['RPUSH', 'element'],
    ['SET', 'text'],
    ['SET', '1.5'],
    ['SET', '0'],
    ['SET', '-5'],
    ['SET', '005'],
    ['SET', '9223372036854775808'],
  ])('refuses a size of blocks that is none: %s %s', async (command, value) => {
    await withIds(async (ids, _, name) => {
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      await askOwner(topology, allocationOf(name), command, value)
      for (let times = 0; times < 2; times += 1) await expect(ids.nextId()).rejects.toMatchObject(wrong)
      expect(await ids.isExists()).toBe(false)
      await askOwner(topology, allocationOf(name), 'SET', '3')
      expect(await idsOf(ids, 4)).toEqual([1, 2, 3, 4])
    })
  })

  it('is not set up where there is something else', async () => {
    await withIds(async (ids, _, name) => {
      await askOwner(topology, name, 'SET', 'text')
      await expect(ids.tryInit(1, 2)).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await sizeIn(name)).toBeNull()
      await askOwner(topology, name, 'DEL')
      await askOwner(topology, allocationOf(name), 'RPUSH', 'element')
      await expect(ids.tryInit(1, 2)).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await ids.isExists()).toBe(false)
    })
  })

  it('is set up in a batch, and used outside of it', async () => {
    await withIds(async (ids, _, name) => {
      const set = await clients.mine.batch((batch) => [
        batch.getIdGenerator(name).tryInit(7, 3),
        batch.getIdGenerator(name, { bigint: true }).tryInit(7n, 3n),
      ])
      expect(set).toEqual([true, false])
      expect(await ids.nextId()).toBe(7)
      await expect(
        clients.mine.batch((batch) => [batch.getIdGenerator(name).nextId()]),
      ).rejects.toMatchObject({
        code: 'NOT_IN_BATCH',
        message: 'nextId() cannot be part of a batch',
      })
      expect(await ids.nextId()).toBe(8)
    })
  })
})

describe('a generator of ids of a client', () => {
  noLeaks(single)
  const clients = twoClients(single)

  it('begins anew once it was moved to another database', async () => {
    const ids = clients.mine.getIdGenerator('moved')
    expect(await idsOf(ids, 2)).toEqual([1, 2])
    expect(await ids.move(1)).toBe(true)
    expect(await ids.nextId()).toBe(1)
    await ids.delete() // the check for leaks flushes all databases
  })

  it('hands out ids while the client is to end, takes none ahead, and has none when it has ended', async () => {
    const client = await Redisson.create(single.options())
    const ids = client.getIdGenerator('ending')
    await ids.tryInit(1, 8)
    await ids.nextId()
    const hold = await client.getLock('ending:lock').acquire()
    const ended = client.shutdown({ drainMs: 10_000 })
    expect(await idsOf(ids, 10)).toEqual(upwards(2, 10))
    expect(await clients.mine.getBucket('ending').get()).toBe(17)
    await hold.unlock()
    await ended
    await expect(ids.nextId()).rejects.toMatchObject({ code: 'CLOSED' })
    await clients.mine.getIdGenerator('ending').delete()
  })

  it.each([1.5, NaN, Infinity, '5', undefined, null, 2 ** 53, 5n])(
    'refuses %o as a number',
    async (value) => {
      const ids = clients.mine.getIdGenerator('bad') as RIdGenerator<never>
      await expect(ids.tryInit(value as never, 1 as never)).rejects.toThrow(RangeError)
      await expect(ids.tryInit(1 as never, value as never)).rejects.toThrow(RangeError)
      expect(await ids.isExists()).toBe(false)
    },
  )

  it('refuses sizes that are none, and what is no bigint of 64 bits', async () => {
    const ids = clients.mine.getIdGenerator('bad')
    for (const size of [0, -1]) await expect(ids.tryInit(1, size)).rejects.toThrow('`allocationSize` to be 1')
    const whole = clients.mine.getIdGenerator('bad', { bigint: true })
    await expect(whole.tryInit(5 as never, 1n)).rejects.toThrow(TypeError)
    await expect(whole.tryInit(1n, 5 as never)).rejects.toThrow(TypeError)
    await expect(whole.tryInit(1n, 0n)).rejects.toThrow(RangeError)
    await expect(whole.tryInit(LARGEST + 1n, 1n)).rejects.toThrow(RangeError)
    await expect(whole.tryInit(1n, LARGEST + 1n)).rejects.toThrow(RangeError)
    expect(await ids.isExists()).toBe(false)
  })

  it('refuses further arguments, unknown options, and names that are none', async () => {
    const { mine } = clients
    const ids = mine.getIdGenerator('bad')
    await expect(ids.tryInit(...([1, 2, 3] as never as [number, number]))).rejects.toThrow(TypeError)
    await expect(ids.nextId(...([5] as never as []))).rejects.toThrow('each call returns one id')
    expect(() => mine.getIdGenerator('bad', { codec: 5 } as never)).toThrow(TypeError)
    expect(() => mine.getIdGenerator('bad', { bigint: 1 as never })).toThrow(TypeError)
    expect(() => mine.getIdGenerator('bad', { exactlyOnce: 'yes' as never })).toThrow(TypeError)
    for (const name of ['', 5, undefined, 'half \ud800'])
      expect(() => mine.getIdGenerator(name as string)).toThrow(TypeError)
    expect(await ids.isExists()).toBe(false)
  })
})
