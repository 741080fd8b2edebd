import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Redisson, stringCodec, type RLongAdder } from '../../../src/index.js'
import { askAll } from '../../support/ask-all.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, slottedTopologies, single } from '../../support/topologies.js'

const LARGEST = 2n ** 63n - 1n

/** The channel of an adder. */
const topicOf = (name: string) => (name.includes('{') ? `${name}:adder-topic` : `{${name}}:adder-topic`)

describe.each(slottedTopologies)('an adder ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const newName = () => `adder-${topology.kind}-${String(names++)}`

  /** How many clients listen. */
  const listeners = async (name: string) => {
    const counts = await askAll(topology.nodes, async (node) => {
      const plain = (await node.command('PUBSUB', 'NUMSUB', topicOf(name))) as [string, number]
      const sharded = (await node.command('PUBSUB', 'SHARDNUMSUB', topicOf(name))) as [string, number]
      return plain[1] + sharded[1]
    })
    return counts.reduce((sum, count) => sum + count, 0)
  }

  const heard = (name: string, count: number) =>
    eventually(async () => (await listeners(name)) === count, { what: `${String(count)} clients listen` })

  it('is 0 where nothing was added, and leaves nothing', async () => {
    const name = newName()
    const adder = clients.mine.getLongAdder(name)
    expect(await adder.sum()).toBe(0)
    await adder.reset()
    expect(await listeners(name)).toBe(0)
    expect(await clients.mine.getDoubleAdder(name).sum()).toBe(0)
  })

  it('has the sum of what this client has added, at once', async () => {
    await using adder = clients.mine.getLongAdder(newName())
    adder.add(5)
    adder.increment()
    adder.decrement()
    adder.add(-7)
    expect(await adder.sum()).toBe(-2)
    expect(await adder.sum()).toBe(-2)
  })

  it('asks all clients once for calls at the same time, and anew for a later call', async () => {
    const name = newName()
    await using adder = clients.mine.getLongAdder(name)
    await using other = clients.other.getLongAdder(name)
    adder.add(5)
    other.add(1)
    await heard(name, 2)
    await using monitor = await Monitor.of(topology.nodes)
    const asked = async () =>
      (await monitor.published()).filter(([, channel]) => channel === topicOf(name)).length
    const sums = Promise.all(Array.from({ length: 100 }, () => adder.sum()))
    await nextTurn() // they are on their way
    other.add(1)
    expect(await adder.sum()).toBe(7)
    expect(new Set(await sums).size).toBe(1)
    expect(await asked()).toBe(2)
    expect(await Promise.all([adder.sum(), adder.sum({ waitMs: 10_000 })])).toEqual([7, 7])
    expect(await asked()).toBe(4)
  })

  it('has what was added before the call, also the first of this client after another call', async () => {
    await using adder = clients.mine.getLongAdder(newName())
    const earlier = adder.sum()
    adder.add(5)
    expect(await adder.sum()).toBe(5)
    await earlier
  })

  it('has the sum of all clients, of all objects of its name, and for each of them the same', async () => {
    const name = newName()
    await using mine = clients.mine.getLongAdder(name)
    await using again = clients.mine.getLongAdder(name, { bigint: true })
    await using other = clients.other.getLongAdder(name)
    mine.add(1)
    again.add(20n)
    other.add(300)
    await heard(name, 2)
    expect(await mine.sum()).toBe(321)
    expect(await again.sum()).toBe(321n)
    expect(await other.sum()).toBe(321)
    expect(await clients.other.getLongAdder(name).sum()).toBe(321)
  })

  it('is asked by many at the same time', async () => {
    const name = newName()
    await using mine = clients.mine.getLongAdder(name)
    await using other = clients.other.getLongAdder(name)
    mine.add(1)
    other.add(2)
    await heard(name, 2)
    const sums = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? mine : other).sum()))
    expect(new Set(sums)).toEqual(new Set([3]))
  })

  it('keeps one sum and one subscription, however many objects add', async () => {
    const name = newName()
    await using client = await Redisson.create(topology.options())
    for (let count = 0; count < 1_000; count += 1) client.getLongAdder(name).increment()
    await heard(name, 1)
    expect(await clients.mine.getLongAdder(name).sum()).toBe(1_000)
    await client.getLongAdder(name).reset()
    expect(await client.getLongAdder(name).sum()).toBe(0)
  })

  it('begins anew with all clients', async () => {
    const name = newName()
    await using mine = clients.mine.getLongAdder(name)
    await using other = clients.other.getLongAdder(name)
    mine.add(1)
    other.add(2)
    await heard(name, 2)
    await clients.other.getLongAdder(name).reset()
    expect(await mine.sum()).toBe(0)
    mine.add(10)
    other.add(20)
    expect(await other.sum()).toBe(30)
  })

  it('loses with destroy() what the object has added, and nothing else', async () => {
    const name = newName()
    const one = clients.mine.getLongAdder(name)
    await using two = clients.mine.getLongAdder(name)
    await using other = clients.other.getLongAdder(name)
    one.add(1)
    two.add(20)
    other.add(300)
    await heard(name, 2)
    await one.destroy()
    await one.destroy()
    expect(await two.sum()).toBe(320)
    expect(await other.sum()).toBe(320)
  })

  it('loses nothing with destroy() of what was added before reset()', async () => {
    const name = newName()
    const one = clients.mine.getLongAdder(name)
    await using two = clients.mine.getLongAdder(name)
    one.add(1)
    two.add(20)
    await two.reset()
    two.add(300)
    await one.destroy()
    expect(await two.sum()).toBe(300)
  })

  it('stops listening after the last object was destroyed, and begins again with the next', async () => {
    const name = newName()
    const adder = clients.mine.getLongAdder(name)
    adder.add(3)
    await heard(name, 1)
    await adder.destroy()
    expect(await clients.other.getLongAdder(name).sum()).toBe(0)
    await heard(name, 0)
    await using next = clients.mine.getLongAdder(name)
    next.add(4)
    expect(await next.sum()).toBe(4)
  })

  it('goes on listening if the next object comes a moment after the last', async () => {
    const name = newName()
    const adder = clients.mine.getLongAdder(name)
    adder.add(3)
    await heard(name, 1)
    await adder.destroy()
    await using next = clients.mine.getLongAdder(name)
    next.add(4)
    await sleep(1_500) // longer than the client goes on listening for nothing
    await heard(name, 1)
    expect(await clients.other.getLongAdder(name).sum()).toBe(4)
  })

  it('refuses to be used once it is destroyed', async () => {
    const name = newName()
    const adder = clients.mine.getLongAdder(name)
    await adder.destroy()
    const destroyed = { code: 'ADDER_DESTROYED', object: name, mayHaveRun: false }
    for (const use of [() => adder.add(1), () => adder.increment(), () => adder.decrement()])
      expect(use).toThrow(expect.objectContaining(destroyed))
    await expect(adder.sum()).rejects.toMatchObject(destroyed)
    await expect(adder.reset()).rejects.toMatchObject(destroyed)
  })

  it.each(['a{tag}b', '{whole}', 'ключ', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await using mine = clients.mine.getLongAdder(name)
      await using other = clients.other.getLongAdder(name)
      mine.add(1)
      other.add(2)
      await heard(name, 2)
      expect(await mine.sum()).toBe(3)
    },
  )

  it('counts in no listener of a pattern, which would not reply', async () => {
    const name = newName()
    await using _subscription = await clients.other
      .getPatternTopic('{adder-*', { codec: stringCodec() })
      .addListener(() => undefined)
    await using adder = clients.mine.getLongAdder(name)
    adder.add(7)
    expect(await adder.sum()).toBe(7)
  })

  it('has no digit lost over the whole of 64 bits, and says where a number has not all of them', async () => {
    const name = newName()
    await using mine = clients.mine.getLongAdder(name, { bigint: true })
    await using other = clients.other.getLongAdder(name, { bigint: true })
    mine.add(LARGEST - 10n)
    other.add(7n)
    await heard(name, 2)
    expect(await mine.sum()).toBe(LARGEST - 3n)
    await expect(clients.mine.getLongAdder(name).sum()).rejects.toMatchObject({
      code: 'UNSAFE_INTEGER',
      digits: String(LARGEST - 3n),
    })
  })

  it('says where a sum is too large: of one client, which stays as it is, or of all', async () => {
    const name = newName()
    await using mine = clients.mine.getLongAdder(name, { bigint: true })
    await using other = clients.other.getLongAdder(name, { bigint: true })
    mine.add(LARGEST)
    const overflow = { code: 'COUNTER_OVERFLOW', object: name, mayHaveRun: false }
    expect(() => mine.increment()).toThrow(expect.objectContaining(overflow))
    expect(await mine.sum()).toBe(LARGEST)
    other.add(1n)
    await heard(name, 2)
    await expect(other.sum()).rejects.toMatchObject({ code: 'COUNTER_OVERFLOW', object: name })
    mine.decrement()
    expect(await other.sum()).toBe(LARGEST)
  })

  it('adds fractions, and exactly those of one client', async () => {
    const name = newName()
    const large = clients.mine.getDoubleAdder(name)
    await using mine = clients.mine.getDoubleAdder(name)
    await using other = clients.other.getDoubleAdder(name)
    large.add(1e20)
    for (let count = 0; count < 10; count += 1) mine.add(0.1)
    mine.increment()
    mine.decrement()
    await large.destroy()
    expect(await mine.sum()).toBe(1)
    other.add(-0.75)
    await heard(name, 2)
    expect(await mine.sum()).toBe(0.25)
    await other.reset()
    expect(await mine.sum()).toBe(0)
  })

  it('has no sum where a name has adders of both kinds', async () => {
    const name = newName()
    const wrong = { code: 'WRONG_TYPE', object: name }
    await using mine = clients.mine.getLongAdder(name)
    mine.add(1)
    const fractions = clients.mine.getDoubleAdder(name)
    expect(() => fractions.add(1)).toThrow(expect.objectContaining(wrong))
    await expect(fractions.sum()).rejects.toMatchObject(wrong)
    await using other = clients.other.getDoubleAdder(name)
    other.add(0.5)
    await heard(name, 2)
    // Which of the two replies first decides whether it is Redis that cannot add the other, or this client that cannot read the sum.
    await expect(mine.sum()).rejects.toMatchObject(wrong)
  })

  it('has no sum where all others are of the other kind', async () => {
    const name = newName()
    await using other = clients.other.getDoubleAdder(name)
    other.add(0.5)
    await heard(name, 1)
    const wrong = { code: 'WRONG_TYPE', object: name }
    await expect(clients.mine.getLongAdder(name).sum()).rejects.toMatchObject(wrong)
    await expect(clients.mine.getLongAdder(name, { bigint: true }).sum()).rejects.toMatchObject(wrong)
  })

  it('may be of the other kind once all of its name are destroyed', async () => {
    const name = newName()
    const integers = clients.mine.getLongAdder(name)
    integers.add(1)
    expect(await integers.sum()).toBe(1)
    await integers.destroy()
    await using fractions = clients.mine.getDoubleAdder(name)
    fractions.add(0.5)
    expect(await fractions.sum()).toBe(0.5)
  })

  it('is held by no key: what all objects have in common finds nothing', async () => {
    const name = newName()
    await using adder = clients.mine.getLongAdder(name)
    adder.add(3)
    expect(await adder.isExists()).toBe(false)
    expect(await adder.delete()).toBe(false)
    expect(await adder.unlink()).toBe(false)
    expect(await adder.touch()).toBe(false)
    expect(await adder.expire(1_000)).toBe(false)
    expect(await adder.clearExpire()).toBe(false)
    expect(await adder.remainTimeToLive()).toBe(-2)
    expect(await adder.sizeInMemory()).toBe(0)
    await expect(adder.rename(`{${name}}2`)).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT' })
    expect(await adder.sum()).toBe(3)
  })

  it('leaves another object of its name alone', async () => {
    const name = newName()
    await using adder = clients.mine.getLongAdder(name)
    adder.add(3)
    await askOwner(topology, name, 'SET', '5')
    for (const refused of [() => adder.isExists(), () => adder.delete(), () => adder.expire(1_000)])
      await expect(refused()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
    expect(await adder.sum()).toBe(3)
    expect(await askOwner(topology, name, 'GET')).toBe('5')
    await askOwner(topology, name, 'DEL')
  })

  it('cannot be part of a batch', async () => {
    for (const getter of ['getLongAdder', 'getDoubleAdder'] as const)
      await expect(
        clients.mine.batch((batch) => [(batch as unknown as typeof clients.mine)[getter](newName()).sum()]),
      ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
  })
})

describe('an adder of a client', () => {
  noLeaks(single)
  const clients = twoClients(single)

  it('asks once for each sum with a time to wait of its own, however many are under way', async () => {
    const CALLS = 300
    const client = await Redisson.create(single.options())
    const adder = client.getLongAdder('adder-many')
    adder.add(3)
    await adder.sum()
    const before = await publications()
    const sums = await Promise.all(Array.from({ length: CALLS }, () => adder.sum({ waitMs: 60_000 })))
    expect(new Set(sums)).toEqual(new Set([3]))
    expect((await publications()) - before).toBe(2 * CALLS) // each request, and the reply to it
    await client.shutdown()
  })

  it('is gone with its client, and refuses to be used then', async () => {
    const ending = await Redisson.create(single.options())
    const theirs = ending.getLongAdder('ending')
    await using mine = clients.mine.getLongAdder('ending')
    theirs.add(1)
    mine.add(20)
    expect(await mine.sum()).toBeGreaterThanOrEqual(20) // this client listens then
    expect(await theirs.sum()).toBe(21)
    const [waiting] = await Promise.allSettled([theirs.sum(), ending.shutdown()])
    if (waiting.status === 'rejected') expect(waiting.reason).toMatchObject({ code: 'CLOSED' })
    expect(() => theirs.add(1)).toThrow(expect.objectContaining({ code: 'CLOSED' }))
    await expect(theirs.sum()).rejects.toMatchObject({ code: 'CLOSED' })
    expect(await mine.sum()).toBe(20)
  })

  it('applies a name mapper once', async () => {
    const nameMapper = (name: string) => `mapped:${name}`
    await using mapped = await Redisson.create({ ...single.options(), nameMapper })
    await using theirs = mapped.getLongAdder('adder')
    await using mine = clients.mine.getLongAdder('mapped:adder')
    theirs.add(1)
    expect(await theirs.sum()).toBe(1) // this client listens then
    mine.add(20)
    expect(await mine.sum()).toBe(21)
    expect(await theirs.sum()).toBe(21)
  })

  it.each([1.5, NaN, Infinity, '5', undefined, null, 2 ** 53, 5n])(
    'refuses %o as a number',
    async (value) => {
      await using adder = clients.mine.getLongAdder('bad') as RLongAdder<never>
      expect(() => adder.add(value as never)).toThrow(RangeError)
      expect(await adder.sum()).toBe(0)
    },
  )

  it('refuses what is no fraction, and what is no bigint of 64 bits', async () => {
    const fractions = clients.mine.getDoubleAdder('bad')
    for (const value of [NaN, Infinity, '5', undefined, 5n])
      expect(() => fractions.add(value as never)).toThrow(RangeError)
    const whole = clients.mine.getLongAdder('bad', { bigint: true })
    expect(() => whole.add(5 as never)).toThrow(TypeError)
    expect(() => whole.add(LARGEST + 1n)).toThrow(RangeError)
    expect(await whole.sum()).toBe(0n)
  })

  it('refuses further arguments, unknown options, and names that are none', async () => {
    const { mine } = clients
    const adder = mine.getLongAdder('bad')
    expect(() => adder.add(...([1, 2] as never as [number]))).toThrow('each call adds one number')
    expect(() => adder.increment(...([5] as never as []))).toThrow('add() adds another number')
    expect(() => adder.decrement(...([5] as never as []))).toThrow('add() adds another number')
    await expect(adder.sum(5 as never)).rejects.toThrow(TypeError)
    await expect(adder.sum({ timeout: 5 } as never)).rejects.toThrow('did you mean `waitMs`?')
    await expect(adder.reset({ waitMs: 'long' as never })).rejects.toThrow(RangeError)
    await expect(adder.reset({ signal: {} as never })).rejects.toThrow(TypeError)
    expect(() => mine.getLongAdder('bad', { exactlyOnce: true } as never)).toThrow(TypeError)
    expect(() => mine.getLongAdder('bad', { bigint: 1 as never })).toThrow(TypeError)
    for (const name of ['', 5, undefined, 'half \ud800']) {
      expect(() => mine.getLongAdder(name as string)).toThrow(TypeError)
      expect(() => mine.getDoubleAdder(name as string)).toThrow(TypeError)
    }
    expect(await adder.sum()).toBe(0)
  })
})

describe('an adder in a cluster without sharded channels', () => {
  noLeaks(cluster)

  it('has the sum of clients that listen at any of the nodes', async () => {
    const options = cluster.options({ shardedSubscriptionMode: 'OFF' })
    const clients = await Promise.all(Array.from({ length: 6 }, () => Redisson.create(options)))
    const adders = clients.map((client) => client.getLongAdder('plain-adder'))
    try {
      for (const [at, adder] of adders.entries()) {
        adder.add(10 ** at)
        await adder.sum() // it listens then
      }
      for (const adder of adders) expect(await adder.sum()).toBe(111_111)
      await adders[0]?.reset()
      for (const adder of adders) expect(await adder.sum()).toBe(0)
    } finally {
      await Promise.all(clients.map((client) => client.shutdown()))
    }
  })
})

/** How often clients have published at the single server. */
async function publications(): Promise<number> {
  const stats = (await single.nodes[0].command('INFO', 'commandstats')) as string
  return Number(/cmdstat_publish:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}
