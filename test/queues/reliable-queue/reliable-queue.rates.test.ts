import { afterEach, describe, expect, it, vi } from 'vitest'
import { CrossSlotError, type Delivery, type ReliableQueueOptions } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a message. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

const HOUR_MS = 3_600_000

const valuesOf = <V>(deliveries: readonly Delivery<V>[]) => deliveries.map(({ value }) => value)

describe.each(slottedTopologies)('the rates of a reliable queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0
  const made: string[] = []

  afterEach(async () => {
    for (const name of made.splice(0)) await clients.mine.getReliableQueue(name).delete()
  })

  const queues = (options: ReliableQueueOptions<string>, tag = '') => {
    const name = `{rates-${topology.kind}-${String(names)}}${tag}`
    if (tag === '') names++
    made.push(name)
    return {
      name,
      mine: clients.mine.getReliableQueue<string>(name, options),
      other: clients.other.getReliableQueue<string>(name, options),
    }
  }

  const ask = (key: string, command: string, ...args: (string | number)[]) =>
    askOwner(topology, key, command, ...args)

  /** Lets a time pass for a limit: moves the moment at which it is unused again. */
  const pass = (key: string, ms: number, limit = '') => ask(key, 'ZINCRBY', -ms, limit)

  it('begins as many deliveries as a burst has, in all processes together', async () => {
    const { mine, other } = queues({ rate: { limit: 3, perMs: HOUR_MS } })
    await mine.offerAll(['a', 'b', 'c', 'd', 'e'])
    expect(valuesOf(await mine.poll(2))).toEqual(['a', 'b'])
    expect(valuesOf(await other.poll(9))).toEqual(['c'])
    expect(await mine.poll()).toBeUndefined()
    expect(await mine.counts()).toMatchObject({ ready: 2, inFlight: 3 })
  })

  it('begins the next ones when their time has come', async () => {
    const { mine, name } = queues({ rate: { limit: 3, perMs: HOUR_MS } })
    await mine.offerAll(['a', 'b', 'c', 'd', 'e', 'f'])
    await mine.poll(3)
    await pass(`${name}:rates`, HOUR_MS / 3 - 60_000)
    expect(await mine.poll(9)).toEqual([])
    await pass(`${name}:rates`, 60_000)
    expect(valuesOf(await mine.poll(9))).toEqual(['d'])
    await pass(`${name}:rates`, 100 * HOUR_MS) // no more than a burst
    expect(valuesOf(await mine.poll(9))).toEqual(['e', 'f'])
  })

  it('begins one at a time with a burst of 1', async () => {
    const { mine } = queues({ rate: { limit: 1_000, perMs: 100 * HOUR_MS, burst: 1 } })
    await mine.offerAll(['a', 'b'])
    expect(valuesOf(await mine.poll(9))).toEqual(['a'])
    expect(await mine.poll(9)).toEqual([])
  })

  it('counts only what is taken of messages that are too large to be taken at once', async () => {
    const limits = { limit: 2, perMs: HOUR_MS }
    const { mine } = queues({ rate: { ...limits, limit: 3 }, groupConcurrency: 5, groupRate: limits })
    const large = 'x'.repeat(700_000)
    for (const each of ['a', 'b', 'c']) await mine.offer(each + large, { group: each === 'c' ? 'h' : 'g' })
    const lengths = [await mine.poll(9), await mine.poll(9), await mine.poll(9)].map(({ length }) => length)
    expect(lengths).toEqual([1, 1, 1])
  })

  it('wakes who waits when the next one may begin', { tags: ['timed'] }, async () => {
    const { mine, other } = queues({ rate: { limit: 100, perMs: 2_000, burst: 1 } })
    await mine.offerAll(['a', 'b', 'c'])
    const values: string[] = []
    for await (const delivery of other.consume({ concurrency: 9 })) {
      values.push(delivery.value)
      await delivery.ack()
      if (values.length === 3) break
    }
    expect(values).toEqual(['a', 'b', 'c'])
  })

  it('limits each group by itself, and keeps the order of a group', async () => {
    const { mine, name } = queues({ groupRate: { limit: 2, perMs: HOUR_MS }, groupConcurrency: 4 })
    await mine.offerAll(['a1', 'a2', 'a3', 'a4', 'a5'], { group: 'ada' })
    await mine.offerAll(['b1', 'b2', 'b3'], { group: 'bob' })
    await mine.offer('free')
    expect(valuesOf(await mine.poll(9))).toEqual(['a1', 'a2', 'b1', 'b2', 'free'])
    expect(await mine.counts()).toMatchObject({ ready: 0, delayed: 3, heldBack: 1 })
    await pass(`${name}:rates`, HOUR_MS, 'ada')
    await askOwner(topology, `${name}:delayed`, 'ZUNIONSTORE', 1, `${name}:delayed`, 'WEIGHTS', 0)
    expect(valuesOf(await mine.poll(9))).toEqual(['a3', 'a4'])
  })

  it('delivers what is behind messages that come too early for their group', async () => {
    const { mine } = queues({
      rate: { limit: 4, perMs: HOUR_MS },
      groupRate: { limit: 1, perMs: HOUR_MS },
      groupConcurrency: 9,
    })
    await mine.offerAll(['a1', 'a2', 'a3'], { group: 'ada' })
    await mine.offerAll(['b1', 'b2'], { group: 'bob' })
    await mine.offerAll(['c', 'd', 'e'])
    expect((await mine.poll())?.value).toBe('a1')
    expect((await mine.poll())?.value).toBe('b1')
    expect(valuesOf(await mine.poll(9))).toEqual(['c', 'd'])
    expect(await mine.counts()).toMatchObject({ ready: 1, delayed: 3, inFlight: 4 })
  })

  it('loses nothing where the name of its rates belongs to something else', async () => {
    const { mine, name } = queues({ groupRate: { limit: 1, perMs: HOUR_MS }, groupConcurrency: 1 })
    await mine.offer('a', { group: 'ada' })
    await ask(`${name}:rates`, 'SET', 'x')
    await expect(mine.poll()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await ask(`${name}:rates`, 'DEL')
    expect((await mine.poll())?.value).toBe('a')
  })

  it('begins nothing before its time where a rate is slow', async () => {
    const { mine, name } = queues({ rate: { limit: 1, perMs: 87_600 * HOUR_MS } })
    await mine.offer('a')
    await ask(`${name}:rates`, 'ZADD', Date.now() + 120_000, '')
    expect(await mine.poll()).toBeUndefined()
  })

  it('delivers nothing, and does not fail, where a rate has been used by more than its burst', async () => {
    const { mine, name } = queues({ rate: { limit: 1_000_000, perMs: 60_000 } })
    await mine.offer('a')
    await ask(`${name}:rates`, 'ZADD', Date.now() + 120_000, '')
    expect(await mine.poll()).toBeUndefined()
  })

  it('knows when those are due that came too early', async () => {
    const { mine, name } = queues({ groupRate: { limit: 1, perMs: HOUR_MS }, groupConcurrency: 9 })
    await mine.offerAll(['a1', 'a2', 'a3'], { group: 'ada' })
    await mine.poll(9)
    const due = (await ask(`${name}:delayed`, 'ZRANGE', 0, -1, 'WITHSCORES')) as string[]
    expect(Math.round((Number(due[3]) - Number(due[1])) / 1_000)).toBe(HOUR_MS / 1_000)
  })

  it('cancels and removes one that came too early', async () => {
    const { mine } = queues({ groupRate: { limit: 1, perMs: HOUR_MS }, groupConcurrency: 3 })
    const [, second, third] = await mine.offerAll(['a1', 'a2', 'a3', 'a4'], { group: 'ada' })
    await mine.poll(9)
    expect(await mine.remove(second ?? '')).toBe(true)
    expect(await mine.cancel(third ?? '')).toBe(true)
    expect(await mine.counts()).toMatchObject({ ready: 1, delayed: 0, inFlight: 1, heldBack: 0 })
  })

  it('shares rates between queues', async () => {
    const rates = {
      rate: { limit: 3, perMs: HOUR_MS },
      sharedRates: `{rates-${topology.kind}-${String(names)}}api`,
    }
    const first = queues(rates, ':1')
    const second = queues(rates, ':2')
    names++
    await first.mine.offerAll(['a', 'b'])
    await second.mine.offerAll(['c', 'd'])
    expect(valuesOf(await first.mine.poll(9))).toEqual(['a', 'b'])
    expect(valuesOf(await second.other.poll(9))).toEqual(['c'])
    const key = `${rates.sharedRates}:rates`
    expect(Number(await ask(key, 'PTTL'))).toBeGreaterThan(HOUR_MS / 2)
    await ask(key, 'DEL')
  })

  it('leaves nothing of rates that are unused again', async () => {
    const { mine, name } = queues({
      rate: { limit: 9, perMs: HOUR_MS },
      groupRate: { limit: 9, perMs: HOUR_MS },
      groupConcurrency: 1,
    })
    for (const group of ['ada', 'bob', 'eve']) await mine.offer('a', { group })
    await mine.poll(9)
    for (const limit of ['', 'ada', 'bob']) await pass(`${name}:rates`, HOUR_MS, limit)
    await mine.poll()
    expect(await ask(`${name}:rates`, 'ZRANGE', 0, -1)).toEqual(['eve'])
    await mine.delete()
    expect(await ask(`${name}:rates`, 'EXISTS')).toBe(0)
  })

  it('does not wait without an end when the clock of the server has gone back', async () => {
    const { mine, name } = queues({ rate: { limit: 3, perMs: HOUR_MS } })
    await mine.offerAll(['a', 'b', 'c', 'd'])
    await mine.poll(3)
    await pass(`${name}:rates`, -1_000 * HOUR_MS)
    expect(await mine.poll(9)).toEqual([])
    await pass(`${name}:rates`, HOUR_MS)
    expect(valuesOf(await mine.poll(9))).toEqual(['d'])
  })

  it('refuses what makes no sense, and names in another slot', () => {
    const { mine } = clients
    const make = (options: unknown) => () =>
      mine.getReliableQueue('q', options as ReliableQueueOptions<unknown>)
    expect(make({ rate: { limit: 0, perMs: 1 } })).toThrow(RangeError)
    expect(make({ rate: { limit: 1, perMs: 0 } })).toThrow(/`rate\.perMs` to be at least 1/)
    expect(make({ rate: { limit: 2e6, perMs: 1 } })).toThrow(RangeError)
    expect(make({ rate: { limit: 1, perMs: 1, burst: 0 } })).toThrow(RangeError)
    expect(make({ rate: { limit: 1, per: 1 } })).toThrow(/got `per`/)
    expect(make({ groupRate: { limit: 1, perMs: 1 } })).toThrow(/groupConcurrency/)
    expect(make({ sharedRates: 'x' })).toThrow(/beside `sharedRates`/)
    const elsewhere = make({ rate: { limit: 1, perMs: 1 }, sharedRates: 'elsewhere' })
    if (topology.kind === 'cluster') expect(elsewhere).toThrow(CrossSlotError)
    else expect(elsewhere).not.toThrow()
  })
})
