import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ClientClosedError, Redisson, type RCountDownLatch } from '../../../src/index.js'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { SynchronizerFixture } from '../shared/synchronizer-fixture.js'

const reason = new Error('no longer wanted')

describe.each(topologies)('a count-down latch ($kind)', (topology) => {
  const bench = new SynchronizerFixture<RCountDownLatch>(topology, (client, name) =>
    client.getCountDownLatch(name),
  )
  noLeaks(topology)

  describe('its count', () => {
    it('is set once, and again when it has reached zero (edge 113)', async () => {
      expect(await bench.mine.trySetCount(2)).toBe(true)
      expect(await bench.theirs.trySetCount(5)).toBe(false)
      expect(await bench.theirs.getCount()).toBe(2)
      await bench.mine.countDown()
      await bench.theirs.countDown()
      expect(await bench.mine.getCount()).toBe(0)
      expect(await bench.mine.trySetCount(1)).toBe(true)
      await bench.mine.countDown()
    })

    it('never falls below zero (edge 111)', async () => {
      await bench.mine.countDown()
      await bench.mine.trySetCount(1)
      await bench.mine.countDown()
      await bench.mine.countDown()
      expect(await bench.mine.getCount()).toBe(0)
      expect(await bench.mine.await()).toBe(true)
      expect(await bench.ask('EXISTS')).toBe(0)
    })

    it('is zero where none was set, and no caller has to wait (edge 111)', async () => {
      expect(await bench.mine.getCount()).toBe(0)
      expect(await bench.mine.await()).toBe(true)
      expect(await bench.mine.await(0)).toBe(true)
    })

    it('of zero may be set, and blocks no caller', async () => {
      expect(await bench.mine.trySetCount(0)).toBe(true)
      expect(await bench.mine.await()).toBe(true)
      await bench.mine.countDown()
      expect(await bench.ask('EXISTS')).toBe(0)
    })

    it('is removed (edge 112)', async () => {
      expect(await bench.mine.delete()).toBe(false)
      await bench.mine.trySetCount(3)
      expect(await bench.theirs.delete()).toBe(true)
      expect(await bench.mine.getCount()).toBe(0)
    })

    it('is exact when many lower it at once (edge 114)', async () => {
      await bench.mine.trySetCount(100)
      const waiting = [bench.mine, bench.theirs].map((latch) => latch.await())
      await Promise.all(
        Array.from({ length: 99 }, (_, n) => (n % 2 === 0 ? bench.mine : bench.theirs).countDown()),
      )
      expect(await bench.mine.getCount()).toBe(1)
      await bench.mine.countDown()
      expect(await Promise.all(waiting)).toEqual([true, true])
    })
  })

  describe('waiting for it', () => {
    it('ends in time if it is counted down in time (edge 109)', async () => {
      await bench.mine.trySetCount(1)
      const waiting = bench.mine.await(5_000)
      await untilAwaited(topology, bench.mine.name)
      await bench.theirs.countDown()
      expect(await waiting).toBe(true)
    })

    it('ends with false if it is not (edge 109)', async () => {
      await bench.mine.trySetCount(1)
      const startedAt = performance.now()
      expect(await bench.mine.await(150)).toBe(false)
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149)
      expect(await bench.mine.await(0)).toBe(false)
      expect(await bench.mine.await({ waitMs: -1 })).toBe(false)
      await eventually(async () => (await channelsOf(topology)).length === 0)
      await bench.mine.delete()
    })

    it('ends for all waiters with one message (T-10, edge 110)', async () => {
      await bench.mine.trySetCount(1)
      const waiting = Array.from({ length: 50 }, () => bench.mine.await())
      const there = [bench.theirs.await(), bench.theirs.await(10_000)]
      await untilAwaited(topology, bench.mine.name)
      await bench.mine.countDown()
      expect(new Set(await Promise.all([...waiting, ...there]))).toEqual(new Set([true]))
    })

    it('costs the server one question at a time, however many wait', { tags: ['timed'] }, async () => {
      await bench.mine.trySetCount(1)
      const first = bench.mine.await()
      await bench.mine.countDown()
      await first // and the server knows all scripts
      await bench.mine.trySetCount(1)
      const waiting = Array.from({ length: 50 }, () => bench.mine.await())
      await untilAwaited(topology, bench.mine.name)
      await sleep(300) // all requests before the waiters sleep
      const before = await bench.countScripts()
      await bench.mine.countDown()
      await Promise.all(waiting)
      expect(await bench.countScripts()).toBe(before + 2) // one counted down, one looked
    })

    it('ends when the latch is deleted: its count is zero then', async () => {
      await bench.mine.trySetCount(3)
      const waiting = bench.mine.await()
      await untilAwaited(topology, bench.mine.name)
      await bench.theirs.delete()
      expect(await waiting).toBe(true)
    })

    it('goes on for those who remain when one has had enough', async () => {
      await bench.mine.trySetCount(1)
      const patient = bench.mine.await()
      expect(await bench.mine.await(300)).toBe(false)
      await bench.theirs.countDown()
      expect(await patient).toBe(true)
    })

    it('may begin anew after it has ended', async () => {
      for (let round = 0; round < 3; round += 1) {
        await bench.mine.trySetCount(1)
        const waiting = bench.mine.await()
        await untilAwaited(topology, bench.mine.name)
        await bench.theirs.countDown()
        expect(await waiting).toBe(true)
        await eventually(async () => (await channelsOf(topology)).length === 0)
      }
    })

    it('ends by its signal, at any moment', async () => {
      await bench.mine.trySetCount(1)
      expect(await bench.refusal(() => bench.mine.await({ signal: AbortSignal.abort(reason) }))).toBe(reason)
      const abort = new AbortController()
      const others = bench.mine.await()
      const waiting = [1, 2, 3].map(() => bench.mine.await({ signal: abort.signal }))
      const outcomes = Promise.allSettled(waiting)
      await untilAwaited(topology, bench.mine.name)
      abort.abort(reason)
      for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason })
      const timed = bench.mine.await({ signal: AbortSignal.timeout(20) })
      await expect(timed).rejects.toMatchObject({ name: 'TimeoutError' })
      await bench.mine.countDown()
      expect(await others).toBe(true)
    })

    it('ends with the client', async () => {
      await bench.mine.trySetCount(1)
      const client = await Redisson.create(topology.options())
      const outcomes = Promise.allSettled([bench.of(client).await(), bench.of(client).await(15_000)])
      await untilAwaited(topology, bench.mine.name)
      await client.shutdown()
      for (const outcome of await outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ClientClosedError)
      }
      await expect(bench.of(client).await()).rejects.toBeInstanceOf(ClientClosedError)
      await bench.mine.delete()
    })
  })

  it.each(['{tag}:latch', 'latch{tag}', 'with spaces and ünïcödé'])(
    'called %s works as any other, in a cluster as well (S-14)',
    async (name) => {
      const [client, other] = bench.clients
      const latch = bench.of(client, name)
      await latch.trySetCount(1)
      const waiting = latch.await()
      await untilAwaited(topology, name)
      await bench.of(other, name).countDown()
      expect(await waiting).toBe(true)
      expect(await latch.delete()).toBe(false)
    },
  )

  it.each<[string, (latch: RCountDownLatch) => Promise<unknown>]>([
    ['trySetCount', (latch) => latch.trySetCount(1)],
    ['countDown', (latch) => latch.countDown()],
    ['await', (latch) => latch.await(15_000)],
    ['getCount', (latch) => latch.getCount()],
    ['delete', (latch) => latch.delete()],
  ])(
    '%s() of a name that belongs to something else rejects and changes nothing (T-30)',
    async (_, operate) => {
      await bench.expectWrongTypes(operate)
    },
  )

  type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

  it.each<[string, unknown[], ErrorConstructor, string]>([
    ['trySetCount', [-1], RangeError, 'Expected `count` to be a whole number, 0 or more, got -1'],
    [
      'trySetCount',
      ['1'],
      RangeError,
      'Expected `count` to be a whole number, 0 or more, got a string of 1 character',
    ],
    ['await', [NaN], RangeError, 'Expected `waitMs` to be a number of milliseconds, got NaN'],
    [
      'await',
      ['1'],
      TypeError,
      'Expected the options to be an object or a number of milliseconds, got a string of 1 character',
    ],
    ['await', [{ signal: {} }], TypeError, 'Expected `signal` to be an AbortSignal, got {}'],
  ])('%s(…%o) is refused, and nothing is sent', async (method, args, kind, message) => {
    const latch = bench.mine as unknown as Untyped
    const error = await bench.refusal(() => latch[method]?.(...args) ?? Promise.resolve())
    expect(error).toBeInstanceOf(kind)
    expect(error.message).toBe(message)
  })
})
