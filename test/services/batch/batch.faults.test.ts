import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  BatchError,
  Redisson,
  type BatchOptions as AllOptions,
  type RedissonClient,
  type RequestTrace,
} from '../../../src/index.js'
import { describeFaults, faultsFor, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 60, reconnectionDelay: 10, retryAttempts: 20 }

type BatchOptions = Omit<AllOptions, 'skipResult'>

const modes: readonly BatchOptions[] = [{}, { mode: 'atomic', responseTimeoutMs: TIMEOUT_MS + 50 }]

describe.each(slottedTopologies)('a batch through a bad network ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let name: string
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({ ...door.options(SETTINGS) })
    straight = await Redisson.create(topology.options())
  })

  beforeEach(async () => {
    name = `{batch-${String(names++)}}`
    await client.batch((batch) => [batch.getBucket(name).get()], { mode: 'atomic' }) // its connection is there then
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    for (const end of ['', ':a', ':b']) await straight.getBucket(name + end).delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  /** Two counters, a bucket, and what is added to them. */
  const count = (options: BatchOptions) =>
    client.batch((batch) => {
      const [a, b] = [batch.getAtomicLong(`${name}:a`), batch.getAtomicLong(`${name}:b`)]
      return [a.incrementAndGet(), b.addAndGet(10), a.getAndAdd(5), b.incrementAndGet(), a.incrementAndGet()]
    }, options)

  it.each(modes)('ends when its signal aborts, and says whether it was sent (%s)', async (options) => {
    const ended = new AbortController()
    const batch = () => count({ ...options, responseTimeoutMs: 600_000, signal: ended.signal })
    const sent = Promise.race(door.proxies.map((proxy) => proxy.onRequest(name).happened))
    for (const proxy of door.proxies) proxy.stall('replies')
    const settled = expect(batch()).rejects.toMatchObject({
      code: 'ABORTED',
      mayHaveRun: true,
      cause: { message: 'enough' },
    })
    await sent
    ended.abort(new Error('enough'))
    await settled
    await expect(batch()).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
  })

  it.each(modes)('is not sent if its signal aborts before it is (%s)', async (options) => {
    const inside = new AbortController()
    const call = client.batch(
      (batch) => {
        inside.abort(NaN) // which is not equal to itself
        return [batch.getAtomicLong(`${name}:a`).incrementAndGet()]
      },
      { ...options, signal: inside.signal },
    )
    await expect(call).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
    const after = new AbortController()
    const settled = expect(count({ ...options, signal: after.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      mayHaveRun: false,
    })
    after.abort()
    await settled
    await client.getBucket(name).get()
    expect(await look()).toEqual([0, 0])
  })

  it.each(modes)('ends while promises of the program are pending (%s)', async (options) => {
    const ended = new AbortController()
    const counted = Promise.withResolvers<void>()
    const batch = client.batch(
      (objects) => [
        objects
          .getAtomicLong(`${name}:a`)
          .incrementAndGet()
          .then(() => {
            counted.resolve()
            return new Promise(() => undefined)
          }),
      ],
      { ...options, signal: ended.signal },
    )
    const settled = expect(batch).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: true })
    await counted.promise
    ended.abort()
    await settled
    expect(await look()).toEqual([1, 0])
  })

  it.each(modes)('is not sent after its signal has aborted (%s)', async (options) => {
    const ended = new AbortController()
    const gone = new Promise((resolve) => client.once('disconnected', resolve))
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await gone
    const settled = expect(count({ ...options, signal: ended.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      mayHaveRun: false,
    })
    ended.abort()
    await settled
    for (const proxy of door.proxies) await proxy.heal()
    await client.getBucket(name).get()
    await client.batch((each) => [each.getBucket(name).get()], { mode: 'atomic' })
    expect(await look()).toEqual([0, 0])
  })

  it('is traced as failed if its signal aborts before its transaction begins', async () => {
    const fresh = await Redisson.create(door.options({ ...SETTINGS, timeout: 600_000 }))
    const ended = new AbortController()
    const outcomes: unknown[] = []
    const channel = tracingChannel<RequestTrace>('ioredisson:request')
    const nothing = () => undefined
    const asyncEnd = ({ name: request, outcome }: RequestTrace) => {
      if (request === 'INCRBY') outcomes.push(outcome)
    }
    const listening = { start: nothing, end: nothing, asyncStart: nothing, asyncEnd, error: nothing }
    channel.subscribe(listening)
    const begun = door.proxies.map(
      (proxy) => proxy.onRequest(/^multi/i, () => proxy.stall('replies')).happened,
    )
    const settled = expect(
      fresh.batch((batch) => [batch.getAtomicLong(`${name}:a`).incrementAndGet()], {
        mode: 'atomic',
        signal: ended.signal,
      }),
    ).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
    await Promise.race(begun)
    ended.abort()
    await settled
    for (const proxy of door.proxies) await proxy.heal()
    await fresh.batch((batch) => [batch.getBucket(name).get()], { mode: 'atomic' })
    channel.unsubscribe(listening)
    expect(outcomes).toEqual(['failed'])
    expect(await look()).toEqual([0, 0])
    await fresh.shutdown()
  })

  const look = () =>
    Promise.all([straight.getAtomicLong(`${name}:a`).get(), straight.getAtomicLong(`${name}:b`).get()])

  it('runs in order while a node is found again whose connection was cut', { timeout: 60_000 }, async () => {
    const counters = Array.from({ length: 6 }, (_, index) => `batch-order-${String(index)}`) // at all nodes of a cluster
    const calls = 10
    for (let round = 0; round < 30; round += 1) {
      door.proxies[round % door.proxies.length]?.cut()
      await sleep(round % 5)
      const sums = await client.batch(
        (batch) =>
          counters.flatMap((counter) =>
            Array.from({ length: calls }, () => batch.getAtomicLong(counter).incrementAndGet()),
          ),
        { exactlyOnce: true },
      )
      const expected = Array.from({ length: calls }, (_, index) => round * calls + index + 1)
      expect(sums).toEqual(counters.flatMap(() => expected))
    }
    await Promise.all(counters.map((counter) => straight.getAtomicLong(counter).delete()))
  })

  const NOTHING = [0, 0]
  const ALL = [7, 11]

  describe.each(modes)('as %j', (options) => {
    describeFaults('of which a message %s', TIMEOUT_MS, (...fault) => {
      it('takes effect once with exactlyOnce', async () => {
        const { struck } = strike(door.proxies, `${name}:b`, fault)
        expect(await count({ ...options, exactlyOnce: true })).toEqual([1, 10, 1, 11, 7])
        await struck
        expect(await look()).toEqual(ALL)
      })

      it('is not sent again otherwise where that would count twice', async () => {
        const { struck } = strike(door.proxies, `${name}:a`, fault)
        const outcome = await count(options).then(
          (results) => ({ results }),
          (error: unknown) => ({ error }),
        )
        await struck
        if ('results' in outcome) {
          expect(outcome.results).toEqual([1, 10, 1, 11, 7])
          expect(await look()).toEqual(ALL)
        } else {
          const { error } = outcome
          expect(error).toBeInstanceOf(BatchError)
          expect(error).toMatchObject({ mayHaveRun: true })
          const found = await look()
          if (options.mode === 'atomic') expect([NOTHING, ALL]).toContainEqual(found)
          for (const failure of (error as BatchError).failures)
            expect(failure.error).toMatchObject({ mayHaveRun: true })
        }
      })

      it('writes in order what may be written twice', async () => {
        const { struck } = strike(door.proxies, name, fault)
        await client.batch((batch) => [1, 2, 3].map((value) => batch.getBucket(name).set(value)), options)
        await struck
        expect(await straight.getBucket(name).get()).toBe(3)
      })
    })
  })

  describeFaults('as one step whose end %s', TIMEOUT_MS, (...fault) => {
    it('takes effect once with exactlyOnce', async () => {
      const { struck } = strike(door.proxies, 'exec', fault)
      expect(await count({ mode: 'atomic', exactlyOnce: true })).toEqual([1, 10, 1, 11, 7])
      await struck
      expect(await look()).toEqual(ALL)
    })

    it('has run, or has not', async () => {
      const { struck } = strike(door.proxies, 'exec', fault)
      const error: unknown = await count({ mode: 'atomic', responseTimeoutMs: TIMEOUT_MS }).catch(
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ code: 'BATCH', mayHaveRun: true, failures: { length: 5 } })
      await struck
      expect([NOTHING, ALL]).toContainEqual(await look())
    })
  })

  it.runIf(topology.kind === 'single')(
    'is sent once more as one step that Redis was not ready for',
    { tags: ['timed'] },
    async () => {
      const [server] = topology.nodes
      await server.command('CONFIG', 'SET', 'min-replicas-to-write', 1)
      const counted = count({ mode: 'atomic' })
      await sleep(20)
      expect(await look()).toEqual(NOTHING)
      await server.command('CONFIG', 'SET', 'min-replicas-to-write', 0)
      expect(await counted).toEqual([1, 10, 1, 11, 7])
      expect(await look()).toEqual(ALL)
    },
  )

  it.runIf(topology.kind === 'single')(
    'runs nothing after what came after it',
    { tags: ['timed'] },
    async () => {
      const [server] = topology.nodes
      await straight.getBucket(name).set('old')
      await server.command('CONFIG', 'SET', 'min-replicas-to-write', 1)
      const counted = client.batch((batch) => {
        const [bucket, counter] = [batch.getBucket(name), batch.getAtomicLong(`${name}:a`)]
        return [bucket.set('new'), bucket.get(), counter.incrementAndGet(), counter.incrementAndGet()]
      })
      counted.catch(() => undefined)
      await sleep(20)
      await server.command('CONFIG', 'SET', 'min-replicas-to-write', 0)
      const error: unknown = await counted.catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        code: 'BATCH',
        failures: [{ method: 'set', error: { code: 'SERVER_NOT_READY', mayHaveRun: false } }],
      })
      const [, ...others] = (error as BatchError).results
      expect(others).toEqual(['old', 1, 2].map((value) => ({ status: 'fulfilled', value })))
      expect(await straight.getBucket(name).get()).toBe('old')
    },
  )

  it.runIf(topology.kind === 'sentinel')(
    'is confirmed by replicas although a message got lost',
    { tags: ['timed'] },
    async () => {
      const faults = faultsFor(TIMEOUT_MS)
      for (const fault of faults) {
        strike(door.proxies, `${name}:a`, fault)
        expect(await count({ exactlyOnce: true, syncedReplicas: 1 })).toEqual([1, 10, 1, 11, 7])
        expect(await look()).toEqual(ALL)
        await straight.getAtomicLong(`${name}:a`).delete()
        await straight.getAtomicLong(`${name}:b`).delete()
        await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      }
    },
  )
})
